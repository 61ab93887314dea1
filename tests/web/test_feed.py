"""The newest document and who waits for it."""

import json
import threading

import pytest

from tablewire.web.feed import Feed


def test_a_reader_gets_the_newest_document_only() -> None:
    feed = Feed()
    for version in (1, 2, 3):
        feed.publish(version, {"version": version, "turn": "red", "link": {"state": "up"}})
    newest = feed.wait_newer(0, timeout_s=0)
    assert newest is not None
    assert json.loads(newest.body(12)) == {
        "version": 3,
        "turn": "red",
        "link": {"state": "up", "silent_ms": 12},
    }


def test_nobody_waits_before_the_first_document_or_after_the_newest() -> None:
    feed = Feed()
    assert feed.current() is None
    assert feed.wait_newer(-1, timeout_s=0) is None
    feed.publish(5, {})
    assert feed.wait_newer(5, timeout_s=0) is None


def test_a_waiting_reader_is_woken_by_a_newer_document() -> None:
    feed = Feed()
    feed.publish(1, {})
    seen: list[int] = []

    def read() -> None:
        newer = feed.wait_newer(1, timeout_s=10)
        seen.append(newer.version if newer else 0)

    reader = threading.Thread(target=read)
    reader.start()
    feed.publish(2, {})
    reader.join(10)
    assert seen == [2]


def test_a_document_changed_after_it_was_published_stays_as_it_was() -> None:
    feed = Feed()
    document = {"players": [{"score": 5}], "link": {"state": "up"}}
    feed.publish(1, document)
    document["players"] = []
    newest = feed.current()
    assert newest is not None
    assert json.loads(newest.body(None))["players"] == [{"score": 5}]


def test_a_version_never_falls() -> None:
    feed = Feed()
    feed.publish(9, {"turn": "red"})
    with pytest.raises(ValueError, match="version 8 after 9"):
        feed.publish(8, {"turn": "green"})
    newest = feed.current()
    assert newest is not None
    assert newest.version == 9


def test_a_closed_feed_keeps_nobody_waiting() -> None:
    feed = Feed()
    feed.publish(1, {})
    waiting = threading.Thread(target=feed.wait_newer, args=(1, 600))
    waiting.start()
    feed.close()
    waiting.join(10)
    assert not waiting.is_alive()


@pytest.mark.parametrize("name", ["\ud800", "</script>", "\x00", "Zoë"])
def test_any_name_can_be_published(name: str) -> None:
    feed = Feed()
    feed.publish(1, {"name": name})
    newest = feed.current()
    assert newest is not None
    assert json.loads(newest.body(None))["name"] == name
