// Owns the menu of everything that is not needed in the middle of a turn. Knows no game: the items are given.

import { openDialog } from "./dialog.js";
import { el, refill } from "./dom.js";

// items(doc): [{id, title, text, onclick, isDisabled}], those that are possible for this document.
export function openMenu(items) {
  const list = el("ul", { class: "menu-list" });
  return openDialog({
    id: "menu",
    title: "More",
    make: (self) => ({
      nodes: [list],
      follow(doc) {
        const shown = items(doc);
        refill(list, shown.map(({ id, isDisabled }) => [id, Boolean(isDisabled)]), () =>
          shown.map(({ id, title, text, onclick, isDisabled }) =>
            el(
              "li",
              {},
              el(
                "button",
                {
                  type: "button",
                  class: "menu-item",
                  "data-action": id,
                  disabled: isDisabled,
                  onclick: () => {
                    self.close();
                    onclick();
                  },
                },
                el("strong", {}, title),
                el("small", {}, text),
              ),
            ),
          ),
        );
      },
    }),
  });
}
