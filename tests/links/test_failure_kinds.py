"""Every kind of failure that people have met with links has its tests, over a cable and over Bluetooth LE.

The kinds are those of public bug reports of electronic boards; each line says what happened to people. The
test named first is against a whole table or a session; those after it are closer to the cause.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent

FAILURES = "system/test_link_failures.py"
CUTS = "system/test_cuts_live.py"
CONTRACT = "links/test_contract.py"
SERIAL = "link/test_serial_port.py"
BLE = "ble/test_ble_faults.py"

KINDS: dict[str, dict[str, list[tuple[str, str]]]] = {
    "unplugging raises whatever it likes, and the reader is dead for good": {
        "serial": [
            (CUTS, "test_a_game_goes_on_over_every_cut"),
            (CONTRACT, "test_a_pulled_cable_is_a_lost_link_for_whoever_reads"),
            (CONTRACT, "test_a_pulled_cable_is_a_lost_link_for_whoever_writes"),
            (SERIAL, "test_every_error_of_an_open_port_is_a_lost_link"),
            (SERIAL, "test_unplugging_with_bytes_still_to_send_lets_the_port_be_closed"),
        ],
        "ble": [
            (CUTS, "test_a_game_goes_on_over_every_cut"),
            (CONTRACT, "test_a_link_thread_survives_ten_cuts"),
            (BLE, "test_a_link_lost_in_the_middle_of_a_write_is_lost_and_opens_again"),
            (BLE, "test_a_killed_bluetooth_service_is_noticed_at_the_next_write"),
        ],
    },
    "a port stays denied after unplugging; listing and opening hang": {
        "serial": [
            (FAILURES, "test_a_port_that_is_denied_and_then_hangs_keeps_nobody_from_the_page"),
            (SERIAL, "test_a_port_denied_six_times_after_unplugging_opens_the_seventh"),
            ("link/test_ports.py", "test_listing_that_hangs_holds_nobody_up_and_is_never_doubled"),
            (CONTRACT, "test_giving_up_ends_an_opening_that_hangs"),
        ],
        "ble": [
            (BLE, "test_a_board_that_refuses_is_asked_again_and_holds_nothing_meanwhile"),
            (BLE, "test_a_connect_that_hangs_ends_and_the_next_one_is_not_disturbed"),
            (CONTRACT, "test_giving_up_ends_an_opening_that_hangs"),
        ],
    },
    "two programs share a port and steal each other's bytes; a modem manager speaks into it": {
        "serial": [
            (FAILURES, "test_two_tables_on_one_port_take_no_byte_from_each_other"),
            (FAILURES, "test_at_commands_and_boot_texts_in_the_stream_are_dropped"),
            (SERIAL, "test_a_second_program_on_the_port_is_refused_and_takes_no_byte"),
        ],
        "ble": [
            (FAILURES, "test_two_tables_do_not_take_a_module_from_each_other"),
            (FAILURES, "test_at_commands_and_boot_texts_in_the_stream_are_dropped"),
        ],
    },
    "opening the port resets the board, and early commands vanish": {
        "serial": [
            (FAILURES, "test_a_board_that_boots_and_is_deaf_is_asked_until_it_hears"),
            ("system/test_cuts.py", "test_a_cut_at_any_point_of_a_placement_changes_nothing"),
            ("twin/test_program.py", "test_opening_the_port_resets_the_board_where_it_does"),
        ],
        "ble": [
            (FAILURES, "test_a_board_that_boots_and_is_deaf_is_asked_until_it_hears"),
            (BLE, "test_a_board_that_boots_when_it_is_connected_is_met"),
        ],
    },
    "missing rights show as nonsense; what was once made with sudo breaks everything after": {
        "serial": [
            (
                "system/test_rights.py",
                "test_a_port_without_the_rights_names_the_group_and_the_command_on_page_and_terminal",
            ),
            ("system/test_rights.py", "test_a_folder_without_the_rights_is_no_matter_of_the_port"),
            ("system/test_rights.py", "test_games_in_a_folder_that_has_become_closed_name_the_command"),
            ("system/test_rights.py", "test_settings_that_cannot_be_read_cost_a_line_and_are_kept"),
            ("link/test_faults.py", "test_without_the_rights_a_port_names_its_group_and_the_command"),
            ("link/test_last_good.py", "test_a_folder_that_cannot_be_written_costs_one_line"),
            ("store/test_surroundings.py", "test_a_folder_that_may_not_be_written_is_named"),
        ],
        "ble": [("ble/test_ble_bluetooth.py", "test_what_is_wrong_with_bluetooth_is_said_with_what_to_do")],
    },
    "bytes at another rate, or of no protocol at all, end the reader": {
        "serial": [
            (FAILURES, "test_garbage_of_any_kind_is_counted_and_play_goes_on"),
            ("twin/test_program.py", "test_a_host_at_another_rate_hears_and_says_garbage"),
        ],
        "ble": [(FAILURES, "test_garbage_of_any_kind_is_counted_and_play_goes_on")],
    },
    "after a reconnect each notification comes twice": {
        "ble": [
            (FAILURES, "test_after_ten_reconnects_there_is_one_listener_and_each_change_counts_once"),
            (BLE, "test_after_ten_reconnects_everything_comes_once"),
        ],
    },
    "a light's write on a dead link ends the game; no board at the start ends the program": {
        "serial": [
            (FAILURES, "test_writes_that_fail_at_random_cost_lights_and_no_move"),
            (CUTS, "test_a_table_that_starts_without_a_board_plays_when_it_appears"),
        ],
        "ble": [
            (FAILURES, "test_writes_that_fail_at_random_cost_lights_and_no_move"),
            (CUTS, "test_a_table_that_starts_without_a_board_plays_when_it_appears"),
            (BLE, "test_a_radio_without_room_holds_up_nobody_and_is_given_up"),
        ],
    },
    "what is longer than a chunk is cut without a word": {
        "serial": [
            (FAILURES, "test_a_chunk_that_is_cut_without_a_word_is_told_again"),
            (CONTRACT, "test_a_session_does_not_mind_where_chunks_are_cut"),
        ],
        "ble": [
            (FAILURES, "test_the_mtu_may_change_in_the_middle_of_a_game"),
            (FAILURES, "test_a_chunk_that_is_cut_without_a_word_is_told_again"),
        ],
    },
    "one wrong byte swallows hundreds of good frames after it": {
        "serial": [
            ("system/test_flipped.py", "test_a_wrong_byte_on_the_way_to_the_host_costs_a_moment"),
            ("system/test_flipped.py", "test_a_wrong_byte_on_the_way_to_the_board_costs_a_moment"),
            (FAILURES, "test_flipped_and_lost_bytes_cost_time_and_no_move"),
        ],
        "ble": [
            ("links/test_flipped_by_radio.py", "test_a_wrong_byte_on_the_radio_costs_a_moment"),
            (FAILURES, "test_flipped_and_lost_bytes_cost_time_and_no_move"),
            (BLE, "test_a_session_survives_what_the_radio_does_to_its_bytes"),
        ],
    },
}
"""What happened to people, and by what it goes over the tests that it does not happen here."""

ONLY_BLE = {"after a reconnect each notification comes twice"}
"""A cable has no registrations that could be left from before."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_failure_is_tried_over_the_cable_and_the_radio(kind: str) -> None:
    over = KINDS[kind]
    assert set(over) == ({"ble"} if kind in ONLY_BLE else {"serial", "ble"})
    for file, name in (test for tests in over.values() for test in tests):
        text = (TESTS / file).read_text("utf-8")
        assert re.search(rf"^(async )?def {name}\(", text, re.MULTILINE), f"{file} has no {name}"
