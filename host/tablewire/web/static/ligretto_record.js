// Owns the reading of the record of the game on the table: its lines after the header, as they are numbered in verdicts.

const LIMIT_MS = 5000; // the record of a long evening is some hundred kilobytes

export async function readRecord() {
  const response = await fetch("/api/record", { cache: "no-store", signal: AbortSignal.timeout(LIMIT_MS) });
  if (!response.ok) throw new Error(`/api/record: ${response.status}`);
  const [, ...lines] = (await response.text()).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line));
}
