// Owns the list of the readers: what each sees on its pad, and how it is by its own word. Decides nothing.

import { openDialog } from "./dialog.js";
import { el, refill } from "./dom.js";
import { wrongLine } from "./forms.js";
import { cardSaid, cardsSaid, listed } from "./ligretto_words.js";
import { get } from "./live.js";

const REFRESH_MS = 4000; // faults show over seconds; a list that is open stays true without a change of the game
// The bits of a reader's state, as the board tells them.
const SEEN = 1;
const TESTED = 2;
const WELL = 4;
const DEAF = 8;

export function openReaders() {
  const list = el("ol", { class: "reader-list" });
  const ghosts = el("p", { class: "hint-line" });
  const wrong = wrongLine();
  let known = null;
  let timer = 0;

  async function look() {
    try {
      const told = await get("/api/health");
      wrong.textContent = "";
      const readers = told.board?.readers ?? [];
      refill(list, [told.sensors, readers], () => (told.sensors ?? []).map((pad) => row(pad, readers[pad.pad])));
      const count = told.ghosts ?? 0;
      ghosts.textContent = count === 0 ? "" : `${count === 1 ? "Once" : `${count} times`} a reader saw a card that lies on another pad. Where that happens often, the pads are too near each other.`;
    } catch {
      wrong.textContent = "The table did not say how its readers are.";
    }
  }

  return openDialog({
    id: "readers",
    title: "Readers",
    isWide: true,
    make: () => {
      timer = setInterval(look, REFRESH_MS);
      return {
        nodes: [ghosts, wrong, list],
        follow(doc) {
          const now = JSON.stringify([doc.game_id, doc.pads, doc.wrong, doc.health]);
          if (now === known) return;
          known = now;
          look();
        },
        closed: () => clearInterval(timer),
      };
    },
  });
}

function row({ pad, tags }, reader) {
  const { title, isWell } = stateOf(reader);
  return el(
    "li",
    { class: isWell ? "reader" : "reader is-unwell", "data-reader": pad },
    el("strong", {}, `Pad ${pad}`),
    el("span", { class: "reader-tags" }, tagsSaid(tags ?? [])),
    title && el("span", { class: "tag" }, title),
  );
}

function tagsSaid(tags) {
  if (tags.length === 0) return "sees nothing";
  const said = tags.filter(({ counts }) => counts !== false).map(({ card, uid }) => (card ? cardSaid(card) : `the unknown tag ${uid}`));
  const before = tags.length - said.length;
  return [said.length > 0 && `sees ${listed(said)}`, before > 0 && `${cardsSaid(before)} from before, not counted`].filter(Boolean).join("; ");
}

// A reader is told as its version and its state; not at all by boards that have none there.
function stateOf(reader) {
  if (!reader) return { title: "", isWell: true };
  const [version, state] = reader;
  if (!(state & SEEN)) return { title: "does not answer", isWell: false };
  const chip = `version ${Number(version).toString(16)}`;
  if (state & TESTED && !(state & WELL)) return { title: `failed its self-test (${chip})`, isWell: false };
  return state & DEAF ? { title: `was deaf and begun anew (${chip})`, isWell: false } : { title: "", isWell: true };
}
