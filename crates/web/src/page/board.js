// The board: lines, stones and marks as SVG, and a grid of points for the pointer, the keyboard and
// screen readers.
// @ts-check

import { set, svg } from "./dom.js";
import { t } from "./language.js";
import { columnLetter, pointText } from "./points.js";
import { preferences } from "./preferences.js";
import { threatMarks } from "./threats.js";
import { View } from "./view.js";

/**
 * The part of a state that the board shows.
 * @typedef {Pick<import("./received.js").State, "game" | "node" | "width" | "height" | "stars" | "stones" | "offers" | "turn"
 *   | "phase" | "actor" | "winning" | "forbidden" | "allowed" | "threats" | "labels" | "arrows" | "waiting" | "analysis"> & {can: {go_on: boolean}}} State
 */
/** @typedef {import("./received.js").StoneView} Stone */
/** @typedef {import("./received.js").Color} Color */

/** The distance of points, the margin, and the radius of stones, in units of the drawing. */
const STEP = 40;
const MARGIN = 44;
const STONE = 18.4;

/** The time after which a finger that rests marks, in milliseconds, and how far it may stray, in pixels. */
const LONG_PRESS = 500;
const REST = 10;

export class BoardView {
  /**
   * @param {HTMLElement} container
   * @param {(point: string) => void} play Called for a point that was chosen.
   * @param {(point: string) => void} ask Called for the first tap of two.
   * @param {(point: string) => void} [refuse] Called for a point while none can be chosen.
   */
  constructor(container, play, ask, refuse = () => {}) {
    this.refuse = refuse;
    this.play = play;
    this.ask = ask;
    /** @type {State | undefined} */
    this.state = undefined;
    /** The size and the preferences for which the empty board was drawn. */
    this.drawn = "";
    this.view = new View(0, 1, 1);
    /** @type {Map<string, SVGRectElement>} */
    this.cells = new Map();
    /** @type {Map<string, SVGGElement>} */
    this.stones = new Map();
    /** The point that the keyboard has selected. */
    this.focus = "";
    /** The point of the first tap. */
    this.tapped = "";
    this.pointer = "mouse";
    /** True while the editor is open: every point can be chosen. */
    this.editing = false;
    /** True while clicks set labels: every point can be chosen. */
    this.labelling = false;
    /**
     * Called after a drag with the secondary button; a click has one point.
     * @type {((from: string, to: string) => void) | undefined}
     */
    this.mark = undefined;
    /** The point where a mark begins, while the secondary button or a finger is down. */
    this.pressed = "";
    /** True if the finger that was lifted last has marked. */
    this.hasMarked = false;

    this.drawing = svg("svg", { class: "board" });
    const layer = (/** @type {string} */ name) => svg("g", { class: name, "aria-hidden": "true" });
    this.layers = {
      wood: layer("wood"),
      marks: layer("marks"),
      stones: layer("stones"),
      ghost: layer("ghost"),
      numbers: layer("numbers"),
      lines: layer("best"),
      talk: layer("talk"),
      hints: layer("hints"),
      premove: layer("premove"),
    };
    // Its focus listener would make it a tab stop in Chromium.
    this.grid = svg("g", { role: "grid", tabindex: -1 });
    this.drawing.append(gradients(), ...Object.values(this.layers), this.grid);
    container.append(this.drawing);

    this.#listenForMarks();
    // A click does not focus a point, so that the shortcuts of the page keep working.
    this.grid.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement) {
        document.activeElement.blur();
      }
    });
    this.grid.addEventListener("click", (event) => {
      if (!this.hasMarked) this.#chosen(pointOf(event), this.pointer === "touch");
      this.hasMarked = false;
    });
    this.grid.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.#ghost(pointOf(event));
    });
    this.grid.addEventListener("pointerleave", () => this.#ghost(this.tapped));
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", (event) => {
      this.focus = pointOf(event) || this.focus;
      if (this.pointer === "key") this.#ghost(this.focus);
    });
    this.grid.addEventListener("focusout", () => this.#ghost(this.tapped));
  }

  /** Sets marks by the secondary mouse button, and by a finger that rests before it is lifted or drawn. */
  #listenForMarks() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    const start = { x: 0, y: 0 };
    this.grid.addEventListener("pointerdown", (event) => {
      clearTimeout(resting);
      this.pointer = event.pointerType;
      this.pressed = event.button === 2 ? pointOf(event) : "";
      this.hasMarked = false;
      if (!this.mark || event.pointerType !== "touch" || !event.isPrimary) return;
      [start.x, start.y] = [event.clientX, event.clientY];
      resting = setTimeout(() => {
        this.pressed = pointOf(event);
        navigator.vibrate?.(20);
      }, LONG_PRESS);
    });
    this.grid.addEventListener("pointermove", ({ clientX, clientY }) => {
      if (Math.hypot(clientX - start.x, clientY - start.y) > REST) clearTimeout(resting);
    });
    this.grid.addEventListener("pointerup", ({ clientX, clientY }) => {
      clearTimeout(resting);
      // The target of a finger is where it was put down.
      const end = document.elementFromPoint(clientX, clientY)?.getAttribute("data-point");
      if (this.pressed && end) this.mark?.(this.pressed, end);
      this.hasMarked = this.pressed !== "" && this.pointer === "touch";
      this.pressed = "";
    });
    this.grid.addEventListener("pointercancel", () => {
      clearTimeout(resting);
      this.pressed = "";
    });
    // The page does not scroll under an arrow.
    this.grid.addEventListener("touchmove", (event) => this.pressed && event.preventDefault(), { passive: false });
    this.grid.addEventListener("contextmenu", (event) => this.mark && event.preventDefault());
  }

  /**
   * True if a person may choose a point.
   * @returns {boolean}
   */
  get open() {
    const { state } = this;
    if (state?.can.go_on) return true;
    if (!state || !["move", "place", "offer", "pick"].includes(state.phase.kind)) return false;
    return state.actor === "person" || state.waiting;
  }

  /**
   * @param {State} state
   * @param {string[]} [next] The next moves in the tree.
   */
  show(state, next = []) {
    let moved = state.game !== this.state?.game || state.node !== this.state?.node
      || state.stones.length !== this.state.stones.length
      || state.offers?.length !== this.state.offers?.length;
    this.state = state;
    const drawn = `${state.width}x${state.height} ${preferences.view} ${preferences.sides}`;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      moved = true;
      this.#draw(state);
    }
    // A variation that begins with a pass has no point.
    const branches = next.length > 1 ? next.filter((point) => point !== "--") : [];
    this.#showStones(state);
    this.#showMarks(state, branches);
    this.#showLabels(state, branches);
    const { ghost, hints, lines, talk } = this.layers;
    if (moved) {
      this.tapped = "";
      ghost.replaceChildren();
      hints.replaceChildren();
    }
    // Previews and evaluations belong to an analysis of this position.
    if (moved || state.analysis === null) {
      lines.replaceChildren();
      talk.replaceChildren();
    }
  }

  /**
   * Shows the best moves with their evaluations.
   * @param {import("./analysis.js").Rated[]} moves
   * @param {string[]} [losing] Losing moves: a cross, unless they have an evaluation.
   * @param {string[]} [unsearched] Moves that were not searched.
   */
  showValues(moves, losing = [], unsearched = []) {
    const valued = new Set(moves.map(({ point }) => point));
    this.layers.lines.replaceChildren(
      ...moves.map(({ point, text, rank }) => {
        const [x, y] = this.#place(point);
        return svg("g", { class: `value ${rank}` },
          svg("circle", { cx: x, cy: y, r: STONE }),
          // The text of a long win would be wider than its disc.
          svg("text", text.length > 3 ? { x, y, class: "long" } : { x, y }, text));
      }),
      ...unsearched.map((point) => {
        const [cx, cy] = this.#place(point);
        return svg("circle", { class: "unsearched", cx, cy, r: 3 });
      }),
      ...losing.filter((point) => !valued.has(point)).map((point) => {
        const [x, y] = this.#place(point);
        return svg("path", { class: "losing", d: `M${x - 5} ${y - 5}l10 10M${x + 5} ${y - 5}l-10 10` });
      }),
    );
  }

  /**
   * Shows a line as numbered stones; an empty one ends the preview.
   * @param {string[]} points
   * @param {Color} [first] The colour of the first stone; by default the side to move.
   */
  preview(points, first) {
    const { state } = this;
    this.layers.talk.replaceChildren();
    if (!state) return;
    let color = first ?? state.turn;
    points.forEach((point, i) => {
      if (point !== "--") {
        const [x, y] = this.#place(point);
        this.layers.talk.append(svg("g", { class: `preview ${color}` },
          svg("circle", { cx: x, cy: y, r: STONE, class: "disc" }),
          svg("text", { x, y }, String(i + 1))));
      }
      color = color === "black" ? "white" : "black";
    });
  }

  /**
   * Marks a hint.
   * @param {string} point
   */
  hint(point) {
    const [x, y] = this.#place(point);
    this.layers.hints.replaceChildren(svg("circle", { class: "hint", cx: x, cy: y, r: STONE + 2 }));
  }

  /**
   * Shows a premove, or none.
   * @param {string} point
   */
  premove(point) {
    if (!this.state || point === "") {
      this.layers.premove.replaceChildren();
      return;
    }
    const [cx, cy] = this.#place(point);
    const color = this.state.turn === "black" ? "white" : "black";
    this.layers.premove.replaceChildren(svg("circle", { class: `disc ${color}`, cx, cy, r: STONE }));
  }

  /** Moves the keyboard focus to the grid. */
  enter() {
    this.cells.get(this.focus)?.focus();
  }

  /**
   * Changes the page around the board. If the element with the keyboard focus is hidden, the grid gets
   * it.
   * @param {() => void} change
   */
  keepFocus(change) {
    const focused = document.activeElement;
    const isByKeys = focused?.matches(":focus-visible") && !this.grid.contains(focused);
    change();
    const isLost = [focused, document.body, null].includes(document.activeElement);
    if (isByKeys && isLost && !focused?.checkVisibility()) this.enter();
  }

  /**
   * The coordinates of a point in the drawing.
   * @param {string} point
   */
  #place(point) {
    return this.view.place(point).map((n) => MARGIN + n * STEP);
  }

  /**
   * Draws the empty board.
   * @param {State} state
   */
  #draw({ width, height, stars }) {
    const hasFocus = this.grid.contains(document.activeElement);
    const view = new View(preferences.view, width, height);
    this.view = view;
    const right = MARGIN + (view.columns - 1) * STEP;
    const bottom = MARGIN + (view.rows - 1) * STEP;
    set(this.drawing, { viewBox: `0 0 ${right + MARGIN} ${bottom + MARGIN}` });
    const ratio = (right + MARGIN) / (bottom + MARGIN);
    this.drawing.style.aspectRatio = String(ratio);
    document.documentElement.style.setProperty("--ratio", ratio.toFixed(3));
    const columns = [...Array(view.columns).keys()];
    const rows = [...Array(view.rows).keys()];
    const along = (/** @type {number} */ n) => MARGIN + n * STEP;
    const path = [
      ...columns.map((x) => `M${along(x)} ${MARGIN}V${bottom}`),
      ...rows.map((y) => `M${MARGIN} ${along(y)}H${right}`),
    ];
    const label = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text) =>
      svg("text", { x, y, class: "label" }, text);
    // The edge points give the places of letters and numbers in every orientation.
    const letters = [...Array(width).keys()].map((x) => [view.place(pointText(x, 0)), columnLetter(x)]);
    const numbers = [...Array(height).keys()].map((y) => [view.place(pointText(0, y)), String(y + 1)]);
    const [below, beside] = view.isOnItsSide ? [numbers, letters] : [letters, numbers];
    const labels = [
      ...below.flatMap(([[x], text]) => [label(along(+x), bottom + 31, String(text)),
        preferences.sides && label(along(+x), MARGIN - 30, String(text))]),
      ...beside.flatMap(([[, y], text]) => [label(MARGIN - 30, along(+y), String(text)),
        preferences.sides && label(right + 30, along(+y), String(text))]),
    ];
    this.layers.wood.replaceChildren(
      svg("rect", { class: "plate", width: right + MARGIN, height: bottom + MARGIN, rx: 10 }),
      svg("path", { class: "lines", d: path.join("") }),
      svg("rect", { class: "edge", x: MARGIN, y: MARGIN, width: right - MARGIN, height: bottom - MARGIN }),
      ...stars.map((star) => {
        const [cx, cy] = this.#place(star);
        return svg("circle", { class: "star", cx, cy, r: 4 });
      }),
      ...labels.filter((it) => it instanceof Node),
    );
    for (const layer of Object.values(this.layers)) if (layer !== this.layers.wood) layer.replaceChildren();
    this.stones.clear();
    this.cells.clear();
    this.grid.replaceChildren(
      ...rows.map((y) => svg("g", { role: "row" }, ...columns.map((x) => {
        const point = view.point(x, y);
        const cell = svg("rect", {
          role: "gridcell", class: "cell", tabindex: -1, "data-point": point,
          x: along(x) - STEP / 2, y: along(y) - STEP / 2, width: STEP, height: STEP,
        });
        this.cells.set(point, cell);
        return cell;
      }))),
    );
    this.focus = pointText(width >> 1, height >> 1);
    set(this.cells.get(this.focus) ?? this.grid, { tabindex: 0 });
    if (hasFocus) this.enter();
  }

  /** @param {State} state */
  #showStones({ stones, winning }) {
    const there = new Set(stones.map((stone) => stone.point + stone.color));
    for (const [key, stone] of this.stones) {
      if (!there.has(key)) {
        stone.remove();
        this.stones.delete(key);
      }
    }
    // The stones of an opened game are not animated.
    const isNew = stones.length - this.stones.size <= 2;
    for (const { point, color } of stones) {
      const key = point + color;
      if (!this.stones.has(key)) {
        const [cx, cy] = this.#place(point);
        const stone = svg("g", { class: `stone ${color}${isNew ? " new" : ""}` },
          svg("circle", { cx: cx + 1.2, cy: cy + 2, r: STONE, class: "shadow" }),
          svg("circle", { cx, cy, r: STONE, class: "disc" }));
        this.stones.set(key, stone);
        this.layers.stones.append(stone);
      }
      this.stones.get(key)?.classList.toggle("winner", winning.includes(point));
    }
  }

  /**
   * @param {State} state
   * @param {string[]} branches
   */
  #showMarks({ stones, forbidden, allowed, offers, threats, winning, labels, arrows }, branches) {
    const cross = (/** @type {string} */ kind, /** @type {string} */ point, /** @type {number} */ half) => {
      const [x, y] = this.#place(point);
      const across = 2 * half;
      return svg("path", {
        class: kind,
        d: `M${x - half} ${y - half}l${across} ${across}M${x + half} ${y - half}l${-across} ${across}`,
      });
    };
    const marks = forbidden.map(({ point }) => cross("forbidden", point, 8));
    const { lines, signs } = threatMarks(preferences.threats ? threats : [], (point) => this.#place(point));
    const others = branches.map((point) => {
      const [cx, cy] = this.#place(point);
      return svg("circle", { class: "branch", cx, cy, r: 12 });
    });
    // The rule of the opening allows few points, or all but a few, such as the square in the centre or
    // the points that are alike to an offered one.
    const taken = new Set([...stones.map(({ point }) => point), ...(offers ?? [])]);
    const places = (allowed ?? []).filter((point) => this.open && !taken.has(point)).map((point) => {
      const [cx, cy] = this.#place(point);
      return svg("circle", { class: "allowed", cx, cy, r: 6 });
    });
    const closed = !allowed || !this.open ? [] : [...this.cells.keys()]
      .filter((point) => !taken.has(point) && !allowed.includes(point)).map((point) => cross("closed", point, 5));
    const opening = places.length <= 25 ? places : closed.length <= 25 ? closed : [];
    const offered = (offers ?? []).map((point, i) => {
      const [x, y] = this.#place(point);
      return svg("g", { class: "preview offered black" },
        svg("circle", { cx: x, cy: y, r: STONE, class: "disc" }),
        svg("text", { x, y }, String.fromCharCode(65 + i)));
    });
    this.layers.marks.replaceChildren(...marks, ...others, ...signs, ...opening, ...offered);

    const last = stones.at(-1);
    /** @type {Element[]} */
    const over = [...lines];
    for (const stone of stones) {
      const [x, y] = this.#place(stone.point);
      const isLast = stone === last && stone.number !== null;
      if (winning.includes(stone.point)) {
        over.push(svg("circle", { class: "won", cx: x, cy: y, r: STONE - 3 }));
      }
      if (preferences.numbers && stone.number !== null) {
        over.push(svg("text", { class: `number ${stone.color}${isLast ? " last" : ""}`, x, y },
          String(stone.number)));
      } else if (isLast && !labels?.some(({ point }) => point === stone.point)) {
        over.push(svg("circle", { class: `last ${stone.color}`, cx: x, cy: y, r: 5 }));
      }
    }
    for (const { point, text } of labels ?? []) {
      const [x, y] = this.#place(point);
      const color = stones.find((stone) => stone.point === point)?.color;
      // On an empty point the label covers the crossing of the lines.
      if (!color) over.push(svg("circle", { class: "under", cx: x, cy: y, r: 11 }));
      over.push(svg("text", { class: `number written ${color ?? ""}`, x, y }, text));
    }
    over.push(...(arrows ?? []).map(([from, to]) => arrow(this.#place(from), this.#place(to))));
    this.layers.numbers.replaceChildren(...over);
  }

  /**
   * @param {State} state
   * @param {string[]} branches
   */
  #showLabels({ stones, forbidden, allowed, offers, labels, arrows }, branches) {
    set(this.grid, { "aria-label": t("board") });
    const byPoint = new Map(stones.map((stone) => [stone.point, stone]));
    const kinds = new Map(forbidden.map(({ point, kind }) => [point, kind]));
    const texts = new Map(labels?.map(({ point, text }) => [point, text]));
    for (const [point, cell] of this.cells) {
      const stone = byPoint.get(point);
      const kind = kinds.get(point);
      let label = t("point.empty", { point });
      if (stone) label = stoneLabel(stone);
      else if (kind) label = t("point.forbidden", { point, kind: t(`forbidden.${kind}`) });
      else if (offers?.includes(point)) label = t("point.offered", { point });
      else if (branches.includes(point)) label = t("point.branch", { point });
      else if (allowed && !allowed.includes(point)) label += `, ${t("error.opening_point")}`;
      const text = texts.get(point);
      if (text) label += `, ${text}`;
      for (const [from, to] of arrows ?? []) if (from === point) label += `, → ${to}`;
      if (cell.getAttribute("aria-label") !== label) set(cell, { "aria-label": label });
      cell.classList.toggle("free", this.open && !stone && (allowed?.includes(point) ?? true));
    }
  }

  /** @param {string} point */
  #free(point) {
    return this.open && Boolean(this.cells.get(point)?.classList.contains("free"));
  }

  /** @param {string} point */
  #ghost(point) {
    this.layers.ghost.replaceChildren();
    if (!point || this.labelling || !this.#free(point) || !this.state) return;
    const [cx, cy] = this.#place(point);
    this.layers.ghost.append(
      svg("circle", { class: `disc ${this.state.turn}`, cx, cy, r: STONE }));
    if (point === this.tapped) {
      this.layers.ghost.append(svg("circle", { class: "asked", cx, cy, r: STONE + 4 }));
    }
  }

  /**
   * @param {string} point
   * @param {boolean} touched
   */
  #chosen(point, touched) {
    if (!point) return;
    this.#moveFocus(point, false);
    if (this.labelling) {
      this.play(point);
      return;
    }
    if (!this.open) {
      this.refuse(point);
      return;
    }
    if (touched && preferences.confirm && !this.editing && point !== this.tapped && this.#free(point)) {
      this.tapped = point;
      this.#ghost(point);
      this.ask(point);
      return;
    }
    this.tapped = "";
    this.play(point);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { state } = this;
    if (!state || event.ctrlKey || event.altKey || event.metaKey) return;
    this.pointer = "key";
    let [x, y] = this.view.place(this.focus);
    switch (event.key) {
      case "ArrowLeft": x -= 1; break;
      case "ArrowRight": x += 1; break;
      case "ArrowUp": y -= 1; break;
      case "ArrowDown": y += 1; break;
      case "Home": x = 0; break;
      case "End": x = this.view.columns; break;
      case "PageUp": y = 0; break;
      case "PageDown": y = this.view.rows; break;
      case "Enter":
      case " ": this.#chosen(this.focus, false); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#moveFocus(this.view.point(x, y), true);
  }

  /**
   * @param {string} point
   * @param {boolean} focus
   */
  #moveFocus(point, focus) {
    const from = this.cells.get(this.focus);
    const to = this.cells.get(point);
    if (!to) return;
    if (from) set(from, { tabindex: -1 });
    set(to, { tabindex: 0 });
    this.focus = point;
    if (focus) to.focus();
  }
}

/**
 * The error for a move to a point that is taken or forbidden; an empty text otherwise.
 * @param {Pick<State, "stones" | "forbidden">} state
 * @param {string} point
 */
export function obstacle({ stones, forbidden }, point) {
  if (stones.some((stone) => stone.point === point)) return t("error.taken");
  const found = forbidden.find((entry) => entry.point === point);
  return found ? t("point.forbidden", { point, kind: t(`forbidden.${found.kind}`) }) : "";
}

/**
 * An arrow from one place of the drawing to another.
 * @param {number[]} from
 * @param {number[]} to
 */
function arrow([x1, y1], [x2, y2]) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const [left, right] = [0.5, -0.5].map((turn) =>
    `${(x2 - 15 * Math.cos(angle + turn)).toFixed(1)} ${(y2 - 15 * Math.sin(angle + turn)).toFixed(1)}`);
  return svg("path", { class: "arrow", d: `M${x1} ${y1}L${x2} ${y2}M${left}L${x2} ${y2}L${right}` });
}

/** @param {Stone} stone */
function stoneLabel({ point, color, number }) {
  const name = t(`color.${color}`);
  return number === null
    ? t("point.setup", { point, color: name })
    : t("point.stone", { point, color: name, number });
}

/** @param {Event} event */
function pointOf(event) {
  const cell = /** @type {Element} */ (event.target).closest("[data-point]");
  return cell?.getAttribute("data-point") ?? "";
}

/** The gradients of the stones and the board. */
function gradients() {
  const shade = (/** @type {string} */ id) =>
    svg("radialGradient", { id, cx: "35%", cy: "30%", r: "75%" },
      svg("stop", { offset: "0", class: `${id}-light` }),
      svg("stop", { offset: "1", class: `${id}-dark` }));
  const wood = svg("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 1, y2: 1 },
    svg("stop", { offset: "0", class: "wood-light" }), svg("stop", { offset: "1", class: "wood-dark" }));
  return svg("defs", {}, shade("black"), shade("white"), wood);
}
