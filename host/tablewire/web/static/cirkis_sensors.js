// Owns the map of the sensors: how each is drawn and counted, what a touched one says, and masking it.

import { badge, COLOUR_NAMES, classOf, nameOf } from "./colours.js";
import { touchSpaces } from "./cirkis_touch.js";
import { button, el, refill } from "./dom.js";
import { byField, noteField, signed, wrongLine } from "./forms.js";
import { ask, get } from "./live.js";

const REFRESH_MS = 4000; // faults show over seconds; a map that is open stays true without a change of the game
const HOLES = [0, 5, 10, 15, 20, 25, 30, 35, 40];

// Told apart by sign and by words as well as by colour.
export const LOOKS = {
  ok: { sign: "✓", title: "good", text: "It reads as it should." },
  chattering: { sign: "≈", title: "chattering", text: "It comes and goes although nothing moves." },
  stuck: { sign: "▲", title: "stuck", text: "It reads a piece all the time." },
  silent: { sign: "?", title: "silent", text: "It does not answer." },
  masked: { sign: "×", title: "masked", text: "It is not believed: what lies there is entered by hand or follows from the rest." },
};
const lookOf = (state) => (Object.hasOwn(LOOKS, state) ? state : "silent");

export class Sensors {
  // board: where the map is drawn; changed(): it has to be drawn again.
  constructor(board, isWritable, changed) {
    this.isWritable = isWritable;
    this.changed = changed;
    this.isOpen = false;
    this.sensors = [];
    this.picked = null; // the wire index of the sensor whose details are shown
    this.node = el("section", { class: "sensors", "aria-label": "Sensors", hidden: true });
    this.legend = el("ul", { class: "legend", "aria-label": "Sensors by state" });
    this.pegs = el("div", { class: "peg-map" });
    this.details = el("div", { class: "sensor-details", "aria-live": "polite" });
    this.by = byField();
    this.note = noteField();
    this.wrong = wrongLine();
    this.node.append(this.legend, this.details, this.pegs);
    this.touch = touchSpaces(board, {
      role: "button",
      label: (id) => this.#words(this.#ofSpace(id), `Space ${id}`),
      state: (id) => this.picked !== null && this.#ofSpace(id)?.sensor === this.picked,
      touched: (id) => this.#pick(this.#ofSpace(id)),
    });
  }

  async toggle() {
    this.isOpen = !this.isOpen;
    this.picked = null;
    clearInterval(this.timer);
    if (this.isOpen) {
      this.touch.start();
      this.timer = setInterval(() => this.#ask(), REFRESH_MS);
      await this.#ask();
    } else this.touch.stop();
    this.#show();
  }

  // A new state: when it says something else of the sensors, the map is asked for again.
  follow(doc) {
    const known = JSON.stringify([doc.health, doc.flaky]);
    const isNew = known !== this.known;
    this.known = known;
    if (this.isOpen && isNew) this.#ask();
  }

  // What the board draws; null: no map.
  get health() {
    if (!this.isOpen) return null;
    return this.sensors
      .filter(({ space }) => space !== undefined && space !== null)
      .map(({ sensor, space, state }) => ({ id: space, look: lookOf(state), sign: LOOKS[lookOf(state)].sign, isPicked: sensor === this.picked }));
  }

  async #ask() {
    try {
      this.sensors = (await get("/api/health")).sensors ?? [];
    } catch {
      this.wrong.textContent = "The table did not say how its sensors are.";
    }
    this.#show();
  }

  #ofSpace(id) {
    return this.sensors.find(({ space }) => space === id);
  }

  #words(sensor, place) {
    return sensor ? `${place}: ${LOOKS[lookOf(sensor.state)].title}` : place;
  }

  #pick(sensor) {
    this.picked = !sensor || this.picked === sensor.sensor ? null : sensor.sensor;
    this.wrong.textContent = "";
    this.by.recall();
    this.#show();
  }

  #show() {
    this.node.hidden = !this.isOpen;
    document.body.classList.toggle("shows-sensors", this.isOpen);
    if (this.isOpen) {
      this.#showLegend();
      this.#showDetails();
      this.#showPegs();
      this.touch.refresh();
    }
    this.changed();
  }

  #showLegend() {
    const counts = Object.keys(LOOKS).map((look) => this.sensors.filter(({ state }) => lookOf(state) === look).length);
    refill(this.legend, counts, () =>
      Object.entries(LOOKS).map(([look, { sign, title }], i) =>
        el("li", { class: `health-${look}`, "data-look": look }, el("span", { class: "legend-sign", "aria-hidden": "true" }, sign), el("span", {}, title), el("strong", {}, String(counts[i]))),
      ),
    );
  }

  #showDetails() {
    const sensor = this.sensors.find((each) => each.sensor === this.picked);
    // Times run on while somebody writes a note: what was typed stays.
    refill(this.details, [sensor && { ...sensor, changed_ms: null }, this.sensors.length > 0], () => {
      if (!sensor) return [el("p", { class: "hint-line" }, "Touch a space or a hole to see what its sensor reads.")];
      const look = LOOKS[lookOf(sensor.state)];
      const isMasked = sensor.state === "masked";
      return [
        el("h3", {}, `${placeOf(sensor)}: ${look.title}`),
        el("p", {}, look.text),
        el("p", { class: "sensor-facts" }, `It reads ${readsOf(sensor)} and has changed ${sensor.changes === 1 ? "once" : `${sensor.changes ?? 0} times`}. The board calls it sensor ${sensor.sensor}.`),
        this.isWritable && el("div", { class: "field-row" }, this.by.node, this.note.node),
        this.wrong,
        this.isWritable &&
          el(
            "div",
            { class: "choices" },
            button(isMasked ? "Believe it again" : "Mask it: do not believe it", {
              class: "primary",
              "data-action": isMasked ? "unmask" : "mask",
              onclick: (event) => this.#mask(event.currentTarget, sensor.sensor, !isMasked),
            }),
            button("Done", { onclick: () => this.#pick(null) }),
          ),
      ];
    });
  }

  async #mask(control, sensor, masked) {
    control.disabled = true;
    const answer = await ask("mask", { sensors: [sensor], masked, ...signed(this.by, this.note) });
    control.disabled = false;
    this.wrong.textContent = answer.text ?? "";
    if (answer.isDone) {
      this.note.fill("");
      await this.#ask();
    }
  }

  #showPegs() {
    const pegs = new Map(this.sensors.filter(({ peg }) => peg).map((sensor) => [pegName(sensor.peg), sensor]));
    refill(this.pegs, [[...pegs].map(([name, { state }]) => [name, state]), this.picked], () =>
      COLOUR_NAMES.filter((colour) => HOLES.some((hole) => pegs.has(`${colour} ${hole}`))).map((colour) =>
        el(
          "div",
          { class: `peg-row ${classOf(colour)}`, role: "group", "aria-label": `${nameOf(colour)}'s peg holes` },
          badge(colour, "small"),
          ...HOLES.filter((hole) => pegs.has(`${colour} ${hole}`)).map((hole) => {
            const sensor = pegs.get(`${colour} ${hole}`);
            const look = lookOf(sensor.state);
            return el(
              "button",
              {
                type: "button",
                class: `peg-hole health-${look}`,
                "data-peg": `${colour} ${hole}`,
                "aria-pressed": String(this.picked === sensor.sensor),
                "aria-label": this.#words(sensor, `Hole ${hole} of ${colour}`),
                onclick: () => this.#pick(sensor),
              },
              el("span", {}, String(hole)),
              el("span", { "aria-hidden": "true" }, LOOKS[look].sign),
            );
          }),
        ),
      ),
    );
  }
}

// A peg's hole is told as "red 10" or as {colour, hole}.
function pegName(peg) {
  return typeof peg === "string" ? peg : `${peg.colour ?? peg.player} ${peg.hole}`;
}

function placeOf({ space, peg }) {
  return peg ? `Peg hole ${pegName(peg)}` : `Space ${space}`;
}

// `reads` is the class of magnet, 0 for none; `colour` whose pieces carry it.
function readsOf({ reads, colour }) {
  if (!reads) return "nothing";
  return colour ? `a ${colour} magnet` : `a magnet of class ${reads}`;
}
