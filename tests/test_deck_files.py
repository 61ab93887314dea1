"""A deck is a tag for each face: it goes out to a file and comes back, and every fault of one is named."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tablewire.errors import UserError
from tablewire.games.ligretto.cards import FACES, Face
from tablewire.games.ligretto.deck_file import encode_deck, parse_deck
from tablewire.games.ligretto.decks import (
    DECK_NAMES,
    Deck,
    clashes,
    kept_deck,
    missing_words,
    parse_uid,
    printed_deck,
    printed_decks,
    printed_uid,
)

UID = "04A1B2C3D4E5F6"
FILE: dict[str, Any] = {
    "tablewire_deck": 1,
    "game": "ligretto",
    "name": "red",
    "tags": {UID: {"colour": "blue", "value": 4}, "04A1B2C3": {"colour": "red", "value": 10}},
}
"""What another program may write: a deck of which two cards are taught."""


def refusal(text: str, name: str | None = None) -> str:
    with pytest.raises(UserError) as caught:
        parse_deck(text, name)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_a_file_of_another_program_is_read() -> None:
    deck = parse_deck(json.dumps(FILE))
    assert deck == Deck("red", {UID: Face("blue", 4), "04A1B2C3": Face("red", 10)})
    assert (len(deck.missing), deck.is_complete) == (38, False)
    assert parse_deck(json.dumps(FILE), "Anna").name == "Anna"


@pytest.mark.parametrize(
    "deck", [Deck("leer"), printed_deck("red"), Deck("„Großmutter“", {UID: Face("red", 1)})]
)
def test_what_is_written_is_read_back(deck: Deck) -> None:
    text = encode_deck(deck)
    assert parse_deck(text) == deck
    assert json.loads(text)["tablewire_deck"] == 1
    assert kept_deck(deck.name, json.loads(json.dumps(deck.to_kept()))) == deck


def test_a_file_has_a_card_a_line_in_the_order_of_the_cards() -> None:
    lines = encode_deck(printed_deck("red")).splitlines()
    told = [re.search(r'"colour": "(\w+)", "value": (\d+)', line) for line in lines]
    values = [(found[1], int(found[2])) for found in told if found]
    colours = ["red", "green", "yellow", "blue"]
    assert values == [(colour, n) for colour in colours for n in range(1, 11)]


@pytest.mark.parametrize(
    "text", ["04A1B2C3D4E5F6", "04:a1:b2:c3:d4:e5:f6", "04-A1-B2-C3-D4-E5-F6", "04 a1b2 c3d4e5f6"]
)
def test_a_number_is_read_however_another_program_writes_it(text: str) -> None:
    assert parse_uid(text) == UID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "04",
        "04A1B2C3D4E5F",
        "04A1B2C3D4E5F6F7",
        "04A1B2C3D4E5FG",
        4,
        None,
        "0" * 14 + "\n" * 40,
        "\u0660" * 8,
    ],
)
def test_what_no_tag_has_is_no_number(text: object) -> None:
    with pytest.raises(UserError, match="is no number of a tag"):
        parse_uid(text)


def test_a_number_that_changes_each_time_is_refused() -> None:
    with pytest.raises(UserError, match="use a sticker"):
        parse_uid("08A1B2C3")
    assert parse_uid("08A1B2C3D4E5F6") == "08A1B2C3D4E5F6"


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"tags": {"xyz": {"colour": "red", "value": 1}}}, "'xyz' is no number of a tag"),
        ({"tags": {UID: {"colour": "purple", "value": 1}}}, "there is no card 'purple' 1"),
        ({"tags": {UID: {"colour": "red", "value": 11}}}, "there is no card 'red' 11"),
        ({"tags": {UID: {"colour": "red", "value": True}}}, "there is no card 'red' True"),
        ({"tags": {UID: {"colour": "red", "value": 1.0}}}, "there is no card 'red' 1.0"),
        ({"tags": {UID: {"colour": "red"}}}, 'without {"colour", "value"}'),
        ({"tags": {UID: ["red", 1]}}, 'without {"colour", "value"}'),
        ({"tags": []}, '"tags" are missing'),
        ({"tags": {f"{n:014X}": {"colour": "red", "value": 1} for n in range(401)}}, "it has 401 tags"),
        ({"name": ""}, "a deck cannot be called ''"),
        ({"name": 7}, "a deck cannot be called 7"),
        ({"name": " red"}, "no spaces around them"),
        ({"name": "r" * 41}, "1 to 40 characters"),
        ({"name": "a\nb"}, "a deck cannot be called"),
        ({"game": "uno"}, "it is a deck of 'uno'"),
        ({"tablewire_deck": 2}, "a newer tablewire wrote it (form 2, this one knows 1)"),
        ({"tablewire_deck": True}, "it is no deck"),
        ({"tablewire_deck": 0}, "there is no form 0 of a deck, and this tablewire writes 1: export it anew"),
        ({"colour": "red"}, "nobody knows what 'colour' means"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_line(changed: dict[str, Any], named: str) -> None:
    assert named in refusal(json.dumps({**FILE, **changed}))


def test_a_file_that_names_no_game_is_told_which_line_is_missing() -> None:
    without = {key: value for key, value in FILE.items() if key != "game"}
    said = 'it does not say of which game its cards are: "game": "ligretto" is missing'
    assert refusal(json.dumps(without)) == said


@pytest.mark.parametrize("text", ["", "{", "[]", '"deck"', "[" * 100_000, '{"tablewire_deck": NaN}', "\0"])
def test_what_is_no_file_of_a_deck_is_said(text: str) -> None:
    assert refusal(text).startswith("it is no deck")


def test_a_tag_that_stands_there_twice_is_named_however_it_is_written() -> None:
    again = '{"colour": "red", "value": 2}'
    for other in (UID, UID.lower()):
        tags = f'{{"{UID}": {{"colour": "red", "value": 1}}, "{other}": {again}}}'
        text = json.dumps(FILE).replace(json.dumps(FILE["tags"]), tags)
        assert f"tag {UID} stands there twice, as red 1 and as red 2" in refusal(text)


def test_a_card_with_two_tags_is_named_with_both() -> None:
    tags = {uid: {"colour": "red", "value": 1} for uid in (UID, "04A1B2C3")}
    assert f"red 1 has two tags, {UID} and 04A1B2C3" in refusal(json.dumps({**FILE, "tags": tags}))


def test_every_fault_is_named_and_of_very_many_the_first_few() -> None:
    tags = {f"bad{n}": {"colour": "red", "value": 1} for n in range(9)}
    line = refusal(json.dumps({**FILE, "tags": tags}))
    assert all(f"'bad{n}'" in line for n in range(5))
    assert "'bad5'" not in line
    assert line.endswith("and 4 more")


def test_a_key_that_stands_there_twice_is_refused() -> None:
    assert "stands in it twice" in refusal(json.dumps(FILE)[:-1] + ', "name": "blue"}')


@pytest.mark.parametrize(
    "body",
    [{}, {"tags": 3}, {"tags": {UID: ["red"]}}, {"tags": {UID: "r1"}}, {"tags": {UID: [["red"], 1]}}],
)
def test_what_was_kept_by_nobody_is_no_deck_or_an_empty_one(body: dict[str, Any]) -> None:
    if isinstance(body.get("tags"), dict):
        with pytest.raises(UserError, match="there is no card"):
            kept_deck("red", body)
    else:
        assert kept_deck("red", body).tags == {}


def test_a_tag_of_two_decks_is_named_with_both_cards() -> None:
    red, blue = Deck("red", {UID: Face("red", 1)}), Deck("blue", {UID: Face("blue", 7)})
    assert clashes(red, [blue, red]) == [f'tag {UID} (red 1) is blue 7 of the deck "blue" already']
    assert clashes(red, [Deck("red", {UID: Face("green", 2)})]) == []


def test_what_is_missing_is_said() -> None:
    full = printed_deck("red")
    assert missing_words(full) == ""
    assert missing_words(Deck("red")) == "no card is taught yet"
    assert missing_words(full.forget(printed_uid("red", Face("blue", 4)))) == "1 card is missing: blue 4"
    assert missing_words(Deck("red", {UID: Face("red", 1)})) == (
        "39 cards are missing: red 2, red 3, red 4, red 5, red 6, and 34 more"
    )


def test_a_face_has_one_tag_and_a_tag_one_face() -> None:
    deck = Deck("red").teach(UID, Face("red", 1)).teach("04A1B2C3", Face("red", 1))
    assert deck.tags == {"04A1B2C3": Face("red", 1)}
    assert deck.teach("04A1B2C3", Face("red", 2)).tags == {"04A1B2C3": Face("red", 2)}


def test_the_file_in_the_readme_is_one() -> None:
    readme = (
        Path(__file__).parents[1] / "host" / "tablewire" / "games" / "ligretto" / "README.md"
    ).read_text("utf-8")
    (example,) = (text for text in re.findall(r"```json\n(.*?)```", readme, re.S) if "tablewire_deck" in text)
    assert parse_deck(example) == Deck("red", {UID: Face("blue", 4)})
    assert json.loads(encode_deck(parse_deck(example))) == json.loads(example)


def test_the_simulated_boards_decks_are_complete_and_share_no_tag() -> None:
    decks = printed_decks(12)
    assert [deck.name for deck in decks] == list(DECK_NAMES)
    uids = [uid for deck in decks for uid in deck.tags]
    assert len(set(uids)) == len(uids) == 480
    assert all(deck.is_complete and not clashes(deck, decks) for deck in decks)
    assert all(parse_uid(uid) == uid and uid.startswith("04") and uid[6:8] != "88" for uid in uids)
    assert {deck.tags[printed_uid("blue", face)] for deck in decks[3:4] for face in FACES} == set(FACES)


def test_the_simulated_boards_numbers_never_change() -> None:
    # Worked out with sha256sum: printf 'tablewire:red:blue:4' | sha256sum
    assert printed_uid("red", Face("blue", 4)) == "0424B3FAC955F6"
