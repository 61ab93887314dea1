// Owns which piece a set of spaces is: the sets congruent to a shape's example, turned by tenths and, where the piece
// may be turned over, mirrored. Pure; whether a piece may lie there is the table's to say.

const TENTHS = 10; // all edges of the board run at multiples of a tenth turn
const GRID = 1000; // corners agree to well under this

export class Shapes {
  // shapes: [{name, example, flip}] of the piece set; `flip` left out: the piece may be turned over.
  constructor(drawn, shapes) {
    this.drawn = drawn;
    this.names = new Map();
    for (const { name, example, flip } of shapes) {
      this.names.set(this.#form(example, false), name);
      if (flip !== false) this.names.set(this.#form(example, true), name);
    }
  }

  // The name of the piece that covers exactly these spaces, or null.
  of(ids) {
    return ids.length > 0 ? (this.names.get(this.#form(ids, false)) ?? null) : null;
  }

  // A text that is the same for congruent sets of spaces, and for no others.
  #form(ids, isMirrored) {
    const spaces = ids.map((id) => this.drawn.get(id)).filter(Boolean);
    const corners = spaces.flatMap((space) => space.corners);
    const mean = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
    const forms = Array.from({ length: TENTHS }, (_, tenths) => {
      const [cos, sin] = [Math.cos((tenths * 2 * Math.PI) / TENTHS), Math.sin((tenths * 2 * Math.PI) / TENTHS)];
      const carried = ([x, y]) => {
        const [dx, dy] = [isMirrored ? mean[0] - x : x - mean[0], y - mean[1]];
        return [dx * cos - dy * sin, dx * sin + dy * cos].map((value) => Math.round(value * GRID) || 0).join();
      };
      return spaces
        .map((space) => `${space.kind}:${space.corners.map(carried).sort().join(" ")}`)
        .sort()
        .join("|");
    });
    return forms.sort()[0];
  }
}
