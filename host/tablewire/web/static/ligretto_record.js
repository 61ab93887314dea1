// Owns the reading of the record of the game on the table: its lines after the header, as they are numbered in verdicts.

const LIMIT_MS = 5000; // the record of a long evening is some hundred kilobytes

export async function readRecord() {
  const response = await fetch("/api/record", { cache: "no-store", signal: AbortSignal.timeout(LIMIT_MS) });
  if (!response.ok) throw new Error(`/api/record: ${response.status}`);
  const [, ...lines] = (await response.text()).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line));
}

// The time that a line put before line `n` may have: that of the last one before it in its round that has any.
export function timeBefore(lines, n) {
  for (const line of lines.slice(0, n - 1).reverse()) {
    if (line.left) return 0;
    if (Number.isInteger(line.t_ms)) return line.t_ms;
  }
  return 0;
}
