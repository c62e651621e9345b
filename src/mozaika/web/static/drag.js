/** Dragging from a first spot to a last one, for those who like to; clicks and keys do the same. A finger scrolls. */

import { svg } from "./dom.js";
import { draw } from "./stage.js";

const FAR_ENOUGH = 8;

/** @param {SVGSVGElement} root @param {import("./walker.js").Walker} walker */
export function drag(root, walker) {
  let from = "";
  let start = [0, 0];
  let moving = false;
  /** @type {SVGGElement | null} */
  let carried = null;

  const spotAt = (/** @type {PointerEvent} */ event) => {
    const found = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.closest(".spot"));
    return walker.meant(/** @type {SVGElement | null | undefined} */ (found?.closest(".spot"))?.dataset.spot ?? "");
  };
  const carry = (/** @type {PointerEvent} */ event) => {
    const matrix = root.getScreenCTM();
    if (!carried || !matrix) return;
    const shift = [(event.clientX - start[0]) / matrix.a, (event.clientY - start[1]) / matrix.d];
    carried.setAttribute("transform", `translate(${shift[0]} ${shift[1]})`);
  };
  const drop = () => {
    carried?.remove();
    carried = null;
    from = "";
    root.classList.remove("dragging");
  };

  root.addEventListener("pointerdown", (event) => {
    const name = spotAt(event);
    if (event.button || !event.isPrimary || event.pointerType === "touch" || !name || !walker.after(name)) return;
    [from, start, moving] = [name, [event.clientX, event.clientY], false];
  });
  addEventListener("pointermove", (event) => {
    if (!from) return;
    if (!moving) {
      if (Math.hypot(event.clientX - start[0], event.clientY - start[1]) < FAR_ENOUGH) return;
      moving = true;
      root.classList.add("dragging");
      if (walker.chosen.at(-1) !== from) walker.choose(from);
      carried = svg("g", { class: "carried" }, ...walker.held(from).map((sprite) => draw(sprite)));
      root.append(/** @type {SVGGElement} */ (carried));
    }
    carry(event);
    walker.preview(spotAt(event));
  });
  addEventListener("pointerup", (event) => {
    const [origin, moved] = [from, moving];
    drop();
    if (!origin || !moved) return;
    const name = spotAt(event);
    if (name && name !== origin) walker.choose(name);
    // the click that follows a drag is not meant
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
  });
  addEventListener("pointercancel", drop);
}

/** @param {Event} event */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
