// Owns the geometry of drawn spaces: outlines of sets of spaces, where a label fits. Pure; knows no document and no page.

// Corners agree to well under this; the shortest edge of a space is 1.
const GRID = 1000;

function keyOf([x, y]) {
  return `${Math.round(x * GRID)},${Math.round(y * GRID)}`;
}

function signedArea(corners) {
  return corners.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    return sum + x * nextY - nextX * y;
  }, 0);
}

function cross([ax, ay], [bx, by], [cx, cy]) {
  return (bx - ax) * (cy - by) - (by - ay) * (cx - bx);
}

// Spaces as the page draws them: y down, corners in one sense of rotation.
export function drawnSpaces(spaces) {
  return new Map(
    spaces.map(({ id, kind, corners }) => {
      const flipped = corners.map(([x, y]) => [x, -y]);
      const ordered = signedArea(flipped) < 0 ? flipped.reverse() : flipped;
      return [id, { id, kind, corners: ordered, label: labelPoint(ordered) }];
    }),
  );
}

// The middle of the corners; in a dart, which is hollow there, a point between its tip and its notch.
function labelPoint(corners) {
  const notch = corners.findIndex((corner, i) => cross(corners.at(i - 1), corner, corners[(i + 1) % corners.length]) < -1e-6);
  if (notch >= 0) {
    const [nx, ny] = corners[notch];
    const [tx, ty] = corners[(notch + 2) % corners.length];
    return [tx + (nx - tx) * 0.66, ty + (ny - ty) * 0.66];
  }
  const mean = (axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  return [mean(0), mean(1)];
}

// The outline of a set of spaces as closed loops of points: the edges that belong to one of them only.
export function outline(drawn, ids) {
  const edges = new Map();
  for (const id of ids) {
    const corners = drawn.get(id)?.corners ?? [];
    corners.forEach((from, i) => {
      const to = corners[(i + 1) % corners.length];
      const back = `${keyOf(to)}>${keyOf(from)}`;
      if (!edges.delete(back)) edges.set(`${keyOf(from)}>${keyOf(to)}`, [from, to]);
    });
  }
  const loops = [];
  while (edges.size > 0) {
    const [firstKey, [start, second]] = edges.entries().next().value;
    edges.delete(firstKey);
    const loop = [start];
    let end = second;
    while (keyOf(end) !== keyOf(start)) {
      loop.push(end);
      const next = [...edges].find(([, [from]]) => keyOf(from) === keyOf(end));
      if (!next) break;
      edges.delete(next[0]);
      end = next[1][1];
    }
    loops.push(loop);
  }
  return loops;
}

export function pathOf(loops) {
  return loops.map((loop) => `M${loop.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join("L")}Z`).join("");
}

// The corner that all the spaces share, or null.
export function commonCorner(drawn, ids) {
  const counts = new Map();
  for (const id of ids) {
    for (const corner of drawn.get(id)?.corners ?? []) {
      const entry = counts.get(keyOf(corner)) ?? { corner, count: 0 };
      entry.count += 1;
      counts.set(keyOf(corner), entry);
    }
  }
  for (const { corner, count } of counts.values()) if (count === ids.length) return corner;
  return null;
}

export function boundsOf(loops) {
  const xs = loops.flat().map(([x]) => x);
  const ys = loops.flat().map(([, y]) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
