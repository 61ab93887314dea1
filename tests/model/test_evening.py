"""The evening itself keeps its word: what is broken can be mended, in whatever order it broke."""

from __future__ import annotations

from pathlib import Path

from tests.model.evening import Evening


def test_a_cable_pulled_while_no_host_runs_can_be_plugged_in_again(tmp_path: Path) -> None:
    evening = Evening(tmp_path, 1)
    evening.found()
    evening.kill()
    evening.do("unplug")
    evening.run(100)
    evening.switch_on()
    evening.run(100)
    assert evening.shown["link"]["state"] == "down"
    evening.do("plug")
    evening.run(100)
    evening.found()
    evening.close()
