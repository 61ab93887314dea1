// Owns how text from strangers stands on the page: names that devices give themselves, and whatever holds such a name.
// Pure; knows no page. That it is never read as HTML is dom.js's.

// Controls, marks that turn the direction of writing or take no room, lone surrogates, what no font draws; and all but
// the first few marks that stack on one letter.
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const STACKED = /(\p{M}{3})\p{M}+/gu;

// One line of at most `maxCount` characters; what cannot be seen is written as its number.
export function plain(text, maxCount) {
  const line = String(text ?? "")
    .slice(0, 4 * maxCount)
    .replace(UNSHOWN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`)
    .replace(STACKED, "$1");
  const characters = [...line];
  return characters.length > maxCount ? `${characters.slice(0, maxCount - 1).join("")}…` : line;
}
