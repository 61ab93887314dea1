"""A browser on the page: a real server fed with hand-written documents, and what the browser complained
about. Screenshots go to the folder that TABLEWIRE_SCREENSHOTS names.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect, sync_playwright
from tests.web.operators import WrittenOperator

from tablewire.web.actions import Answer
from tablewire.web.app import create_app
from tablewire.web.feed import Feed
from tablewire.web.server import Server, serve
from tablewire.web.streams import Streams

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TELEVISION = (1920, 1080)
PHONE = (390, 844)
# What most tests look at: the layout of a television, at the cost of drawing a small one.
LAPTOP = (1280, 720)
# The page may have to wait for the next pulse (4 s) or the next attempt at a refused stream (5 s), and
# the machine for other programs.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)

LIGRETTO_BOARD = {"game": "ligretto", "pads": 16, "colours": ["red", "green", "yellow", "blue"], "values": 10}
"""What Ligretto is drawn on: a board with as many readers as one chip takes."""

FAINT = """(() => {
  const channels = (text) => {
    const numbers = text.match(/[\\d.]+/g).map(Number);
    const scale = text.startsWith("color(") ? 255 : 1;
    return [...numbers.slice(0, 3).map((n) => n * scale), numbers[3] ?? 1];
  };
  const over = (front, back) => front.slice(0, 3).map((c, i) => c * front[3] + back[i] * (1 - front[3]));
  const ground = (node) => {
    const layers = [];
    for (let n = node; n; n = n.parentElement) layers.unshift(channels(getComputedStyle(n).backgroundColor));
    return layers.reduce((back, front) => over(front, back), [255, 255, 255]);
  };
  const light = (colour) => colour
    .map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (node) => {
    const back = ground(node);
    const [a, b] = [light(back), light(over(channels(getComputedStyle(node).color), back))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const enough = (node) => {
    const {fontSize, fontWeight} = getComputedStyle(node);
    return parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24) ? 3 : 4.5;
  };
  return [...document.body.querySelectorAll("*")].filter((node) => node instanceof HTMLElement
    && node.offsetParent !== null && !node.closest(":disabled, .is-out, dialog:not(:last-of-type)")
    && [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim())
    && (contrast(node) < enough(node) || parseFloat(getComputedStyle(node).fontSize) < 10))
    .map((node) => `${node.className} ${node.textContent}`);
})()"""
"""What cannot be read well: texts with too little contrast to what lies under them (WCAG 2, level AA), or
too small. What is not to be had any more may be faint.
"""


class PageOperator(WrittenOperator):
    """One that also tells a preview apart from the action itself."""

    def __init__(self) -> None:
        super().__init__()
        self.preview: dict[str, Any] | None = None

    def act(self, name: str, body: dict[str, Any]) -> Answer:
        """What was set for previews where one is asked for, else what was set."""
        answer = super().act(name, body)
        asks = body.get("preview") and self.preview is not None
        return Answer(200, {"preview": self.preview, "version": 7}) if asks else answer

    def done(self) -> list[tuple[str, dict[str, Any]]]:
        """What was asked to be done: neither previews nor what is only read."""
        reads = ("games", "record", "audit", "decks", "health")
        return [(name, body) for name, body in self.asked if name not in reads and not body.get("preview")]


class Site:
    """The page's server and its documents."""

    def __init__(self, feed: Feed, operator: WrittenOperator, board: dict[str, Any]) -> None:
        self.feed = feed
        self.operator = operator
        self._board = board
        self._server: Server | None = None
        self.url = ""

    def start(self, *, writable: bool = True, stream_cap_count: int = 8, port: int = 0) -> None:
        """Serve the page; `port` as it was, to come back where a browser looks for it."""
        app = create_app(
            self.feed,
            self.operator,
            boards={"cirkis": self._board, "ligretto": LIGRETTO_BOARD},
            first_game="cirkis",
            writable=writable,
            hosts=["127.0.0.1"],
            streams=Streams(self.feed, stream_cap_count),
        )
        self._server = serve(app, "127.0.0.1", port)
        self.url = self._server.url

    @property
    def port(self) -> int:
        """Where it listens, or last listened."""
        return int(self.url.rstrip("/").rpartition(":")[2])

    def stop(self) -> None:
        """End the server and its streams, as a stopped daemon does."""
        if self._server is not None:
            self._server.close()

    def show(self, page: Page, document: dict[str, Any]) -> None:
        """Publish a document and wait until the page has drawn it."""
        self.feed.publish(document["version"], document)
        expect(page.locator("body")).to_have_attribute(
            "data-version", str(document["version"]), timeout=PATIENCE_MS
        )


Open = Callable[..., Page]


def card(page: Page, colour: str) -> Locator:
    """The card of a player."""
    return page.locator(f'[data-player="{colour}"].card')


def action(page: Page, name: str) -> Locator:
    """The button of an action."""
    return page.locator(f'[data-action="{name}"]')


def choose_from_menu(page: Page, name: str) -> None:
    """Open "More" and touch an entry of it."""
    action(page, "more").click()
    page.locator(f'#menu [data-action="{name}"]').click()


def touch_space(page: Page, dialog: Locator, space: int) -> None:
    """Touch a space of a small board where its number stands."""
    box = dialog.locator("svg.board .number").get_by_text(str(space), exact=True).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def photograph(page: Page, path: Path) -> None:
    """What the page looks like, as a PNG file."""
    page.screenshot(path=path)
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wanted = os.environ.get("TABLEWIRE_SCREENSHOTS")
    folder = Path(wanted) if wanted else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[BrowserContext]:
    """One browser with a profile of its own; nothing in it outlives a page, so the tests share it."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield chromium.new_context(reduced_motion="reduce")
        chromium.close()


@pytest.fixture
def site(feed: Feed, operator: WrittenOperator, board: dict[str, Any]) -> Iterator[Site]:
    site = Site(feed, operator, board)
    yield site
    site.stop()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What browsers wrote to their consoles: errors, violations of its policy. None may be left."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def open_page(browser: BrowserContext, site: Site, complaints: list[str]) -> Iterator[Open]:
    pages = []

    def open_page(document: dict[str, Any], size: tuple[int, int] = LAPTOP, **settings: Any) -> Page:
        site.feed.publish(document["version"], document)
        if not site.url:
            site.start(**settings)
        page = browser.new_page()
        pages.append(page)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(site.url)
        expect(page.locator("body")).to_have_attribute(
            "data-version", str(document["version"]), timeout=PATIENCE_MS
        )
        return page

    yield open_page
    for page in pages:
        page.close()
