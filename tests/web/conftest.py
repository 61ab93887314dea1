"""The application with a board drawn by the game's own tiling, and an operator that only takes notes."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.web.browsing import PageOperator, browser, complaints, open_page, screenshots, site

from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.tiling import board_json
from tablewire.web.app import create_app
from tablewire.web.feed import Feed

__all__ = ["browser", "complaints", "open_page", "screenshots", "site"]


@pytest.fixture(scope="session")
def board() -> dict[str, Any]:
    return board_json(default_piece_set())


@pytest.fixture
def feed() -> Feed:
    return Feed()


@pytest.fixture
def operator() -> PageOperator:
    return PageOperator()


@pytest.fixture
def client(feed: Feed, operator: PageOperator, board: dict[str, Any]) -> FlaskClient:
    return create_app(
        feed,
        operator,
        boards={"cirkis": board},
        first_game="cirkis",
        writable=True,
        hosts=["localhost", "127.0.0.1"],
    ).test_client()


@pytest.fixture
def guest(feed: Feed, operator: PageOperator, board: dict[str, Any]) -> FlaskClient:
    """A client of a page that other computers reach: read-only."""
    hosts = ["0.0.0.0"]  # noqa: S104
    return create_app(
        feed, operator, boards={"cirkis": board}, first_game="cirkis", writable=False, hosts=hosts
    ).test_client()
