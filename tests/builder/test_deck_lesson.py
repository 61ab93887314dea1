"""A deck is taught at the terminal, on a simulated board: what is said, and what is kept at each moment."""

from __future__ import annotations

import pytest
from tests.boards import NewBoard
from tests.builder.bench import Bench, Builder

from tablewire.builder.deck_lesson import CardReading, DeckLesson
from tablewire.builder.dialogue import Left, Nobody
from tablewire.errors import BoardError
from tablewire.games.ligretto.cards import FACES, Face
from tablewire.games.ligretto.decks import Deck, printed_deck, printed_uid
from tablewire.games.ligretto.lesson import Lesson
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.messages import BoardKind


class Table:
    """A board with readers, a person at a terminal who lays cards, and what was kept."""

    def __init__(
        self,
        deck: Deck | None = None,
        others: tuple[Deck, ...] = (),
        pad: int | None = None,
        board: VirtualBoard | None = None,
    ) -> None:
        self.bench = Bench(board or VirtualBoard(1, kind=BoardKind.LIGRETTO))
        self.person = Builder(self.bench)
        self.kept: list[Deck] = []
        self._begun = Lesson.begin(deck or Deck("red"), others, pad)

    def teach(self) -> DeckLesson:
        with self.bench.converse() as board:
            lesson = DeckLesson(board, self.person, self._begun, self.kept.append)
            try:
                lesson.run()
            except Left:
                self.person.tell("left")
        assert self.person.unasked == []
        return lesson


def face_word(face: Face) -> str:
    return f"{face.colour}:{face.value}"


def lay(face: Face, deck: str = "red", pad: int = 0) -> tuple[str, ...]:
    return (f"lay {deck}:{face_word(face)} {pad}", "wait 700")


def test_a_whole_deck_is_taught_card_by_card() -> None:
    table = Table()
    for face in FACES:
        card = f"red:{face_word(face)}"
        table.person.on(
            f"^Lay {face.colour} {face.value} on any pad", [f"lay {card} 0", "wait 400", f"take {card}"]
        )
    lesson = table.teach()
    assert lesson.lesson.deck == printed_deck("red")
    assert [len(deck.tags) for deck in table.kept] == list(range(1, 41))
    assert table.person.said("^Lay red 1 ")[0] == "Lay red 1 on any pad. (0 of 40 are taught)"
    assert table.person.told[-1] == 'The deck "red" is complete: all 40 cards are taught.'
    assert lesson.summary() == 'The deck "red" is kept: complete.'


def test_keys_take_back_leave_out_and_stop() -> None:
    table = Table()
    one, two, three = FACES[0], FACES[1], FACES[2]
    table.person.on("^Lay red 1 ", lay(one)).on("^Lay red 2 ", lay(two)).on("^Lay red 3 ", "u")
    table.person.on("red 2 is taken back", ["take red:red:2", "wait 600"], lay(two)).on("^Lay red 3 ", "s")
    table.person.on("^Lay red 4 ", "a").on("^Lay red 3 ", "yellow 6").on("^Lay yellow 6 ", lay(FACES[25]))
    table.person.on("yellow 6 is taught", "what?").on("Enter after a letter.*q stops.$", ()).on(
        "^  Enter after", "q"
    )
    lesson = table.teach()
    assert set(lesson.lesson.deck.tags.values()) == {one, two, FACES[25]}
    assert lesson.lesson.next == three
    assert table.person.told[-1] == "left"


def test_what_is_wrong_is_said_and_teaches_nothing(new_tag_board: NewBoard) -> None:
    table = Table(others=(printed_deck("green"),), board=new_tag_board())
    table.person.on("^Lay red 1 ", lay(FACES[7], "green", 3))
    table.person.on('red 8 of the deck "green"', ["take green:red:8"], lay(FACES[0]))
    table.person.on("^Lay red 2 ", ["take red:red:1", "wait 600", "lay red:red:1 0"])
    table.person.on("That is red 1: it is taught already", ["lay red:red:2,red:red:3 1"])
    table.person.on("Two cards came at once", "q")
    lesson = table.teach()
    assert lesson.lesson.deck.tags == {printed_uid("red", FACES[0]): FACES[0]}
    assert table.kept[-1] == lesson.lesson.deck


def test_a_card_that_lies_there_at_the_start_is_named(new_tag_board: NewBoard) -> None:
    table = Table(board=new_tag_board())
    table.bench.do("lay red:red:1 5", "wait 500")
    table.person.on(
        "On pad 5 lies a card that is not taught", ["take red:red:1", "wait 600", "lay red:red:1 5"]
    )
    table.person.on("red 1 is taught", "q")
    assert table.teach().lesson.deck.tags == {printed_uid("red", FACES[0]): FACES[0]}


def test_a_lesson_on_one_pad_listens_to_that_alone() -> None:
    table = Table(pad=2)
    table.person.on("^Lay red 1 on pad 2", lay(FACES[9], pad=1), lay(FACES[0], pad=2)).on(
        "red 1 is taught", "q"
    )
    assert table.teach().lesson.deck.tags == {printed_uid("red", FACES[0]): FACES[0]}


def test_who_has_no_keyboard_teaches_with_cards_alone() -> None:
    class Away(Builder):
        def hear(self) -> str | None:
            raise Nobody("there is nobody to answer")

    table = Table(printed_deck("red").forget(printed_uid("red", FACES[39])))
    table.person = Away(table.bench).on("^Lay blue 10 ", lay(FACES[39]))
    assert table.teach().lesson.deck.is_complete


def test_nothing_is_said_that_the_disk_refused() -> None:
    table = Table()
    table.person.on("^Lay red 1 ", lay(FACES[0]))

    def refuse(_deck: Deck) -> None:
        raise OSError("no room")

    with table.bench.converse() as board, pytest.raises(OSError, match="no room"):
        DeckLesson(board, table.person, Lesson.begin(Deck("red")), refuse).run()
    assert table.person.said("red 1 is taught") == []


def test_a_board_with_sensors_is_refused() -> None:
    bench = Bench()
    with bench.converse() as board, pytest.raises(BoardError, match="no readers for cards"):
        DeckLesson(board, Builder(bench), Lesson.begin(Deck("red")), lambda _: None).run()


def test_each_card_is_named() -> None:
    bench = Bench(VirtualBoard(1, kind=BoardKind.LIGRETTO))
    bench.do("lay green:blue:7 9", "wait 300")
    said: list[str] = []
    with bench.converse() as board:
        bench.board.command("wait 1000")
        bench.board.command("lay 04A1B2C3D4E5F6 2")
        CardReading(board, said.append, [printed_deck("green")]).run(2.5)
    assert said[1:] == [
        f'pad 9: blue 7 of the deck "green" (tag {printed_uid("green", Face("blue", 7))})',
        "pad 2: not taught (tag 04A1B2C3D4E5F6)",
    ]
