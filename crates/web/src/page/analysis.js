// The analysis: the best lines, and the evaluation bar.
// @ts-check

import { button, byId, html, select, set, shortNumber, update } from "./dom.js";
import { t } from "./language.js";
import { prefer, preferences } from "./preferences.js";
import { ProofView } from "./proof.js";
import { threatText } from "./threats.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").LineView} Line */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./received.js").Analysis} Analysis */
/** @typedef {import("./received.js").ProofView} Proof */
/** @typedef {import("./received.js").AnalysisMode} Mode */
/** @typedef {import("./received.js").Color} Color */

/** @type {Mode[]} */
const MODES = ["best", "defences", "balance"];

/** The number of moves that are shown of a line. */
const MAX_SHOWN = 12;

/**
 * @typedef {object} Handlers
 * @property {(points: string[], first?: Color) => void} preview
 * @property {() => void} toggle Turns the analysis on or off.
 * @property {(lines: number, mode: Mode) => void} analyse
 * @property {(points: string[]) => void} playLine
 * @property {() => void} prove
 * @property {() => void} proveThreat
 */

export class AnalysisView {
  /**
   * @param {Handlers} handlers
   * @param {Tree} tree
   */
  constructor(handlers, tree) {
    this.tree = tree;
    this.handlers = handlers;
    this.panel = byId("analysis");
    this.bar = byId("bar-black");
    this.facts = html("p", { class: "facts" });
    this.list = html("ol", { class: "best-lines" });
    this.threats = html("p", { class: "threat-list" });
    this.explained = html("p", { class: "facts" });
    this.view = html("p", { class: "facts view" });
    this.modeSelect = html("select");
    this.lineSelect = html("select");
    /** The mode and the number of lines. */
    this.controls = html("div", { class: "row" });
    /** @type {HTMLButtonElement[]} */
    this.provers = [];
    /** The language and the number of lines for which the controls were built. */
    this.built = "";
    this.proof = new ProofView(handlers.preview, handlers.playLine, () => this.provers[0]?.focus());
    /** @type {State | undefined} */
    this.state = undefined;
    /** @type {Mode | undefined} */
    this.mode = undefined;
    /** The analysis in the rows. @type {Analysis | undefined} */
    this.analysis = undefined;
    /** @type {HTMLButtonElement[]} */
    this.rows = [];
    /** The length of the preview that arrow keys have chosen, in moves; zero without. */
    this.stepped = 0;
  }

  /**
   * @param {State} state
   * @param {number} mostLines
   */
  show(state, mostLines) {
    this.panel.hidden = this.controls.hidden = state.analysis === null;
    update(byId("engine"), button(t("action.analyse"), this.handlers.toggle,
      { class: "switch", "aria-pressed": String(state.analysis !== null), "data-name": "analyse" }), this.controls);
    const moved = state.game !== this.state?.game || state.node !== this.state?.node;
    if (moved || this.panel.hidden) this.proof.clear();
    this.state = state;
    const { mode: before } = this;
    this.mode = state.mode;
    const known = this.tree.path(state.node).findLast((node) => node.chance !== undefined)?.chance;
    const isOver = state.phase.kind === "over" && !state.can.hint;
    const winner = state.phase.kind === "over" ? state.phase.winner : null;
    this.#showBar(winner === "black" ? 1000 : winner === "white" ? 0 : known);
    if (moved || isOver || this.panel.hidden || state.mode !== before) {
      this.facts.textContent = isOver ? t("error.over") : "";
      this.#clear(isOver);
    }
    if (this.panel.hidden) return;
    this.#build(mostLines);
    this.lineSelect.value = String(state.analysis);
    this.list.style.setProperty("--lines", String(state.analysis));
    this.modeSelect.value = state.mode ?? "best";
    this.view.textContent = t("analysis.view");
    this.#explain();
    for (const prover of this.provers) set(prover, { "aria-disabled": state.can.hint ? null : "true" });
    // Threats that are shown on the board are listed beside it.
    this.threats.hidden = preferences.threats;
    this.threats.textContent = threatText(state.threats.filter(({ kind }) => kind !== "four"));
  }

  /**
   * Builds the controls once: replacing a button while it is pressed would lose the click.
   * @param {number} mostLines
   */
  #build(mostLines) {
    const built = `${document.documentElement.lang} ${mostLines}`;
    if (built === this.built) return;
    this.built = built;
    const counts = [...Array(mostLines).keys()].map((n) =>
      /** @type {[string, string]} */ ([String(n + 1), String(n + 1)]));
    const ask = () => this.handlers.analyse(Number(this.lineSelect.value), /** @type {Mode} */ (this.modeSelect.value));
    const chosen = () => {
      ask();
      prefer("lines", Number(this.lineSelect.value));
    };
    this.lineSelect = select(counts, "1", { "aria-label": t("analysis.lines"), change: chosen });
    this.modeSelect = select(MODES.map((name) => [name, t(`mode.${name}`)]), "best",
      { "aria-label": t("analysis.mode"), change: ask });
    const prover = (/** @type {string} */ label, /** @type {() => void} */ prove) => button(label, () => {
      if (!this.state?.can.hint) return;
      this.proof.searching();
      prove();
    }, { class: "quiet" });
    this.provers = [
      prover(t("action.prove"), this.handlers.prove), prover(t("action.prove_threat"), this.handlers.proveThreat),
    ];
    this.controls.replaceChildren(this.modeSelect, html("label", { class: "small" }, `${t("analysis.lines")} `, this.lineSelect));
    this.panel.replaceChildren(
      // Buttons come before parts that grow, so that they do not move under the pointer.
      this.explained, html("div", { class: "choices" }, ...this.provers),
      // The answer to the buttons comes first.
      this.proof.element, this.facts, this.list, this.view, this.threats);
    // In another language the results are shown again.
    this.list.replaceChildren();
    this.rows = [];
    if (this.analysis && this.analysis.node === this.state?.node) this.update(this.analysis);
    this.proof.again?.();
  }

  /** Explains the mode, and counts the defences searched so far. */
  #explain() {
    const { mode = "best" } = this;
    this.explained.hidden = mode === "best";
    const { searched = 0, losing = [], unsearched = [] } = this.analysis ?? {};
    const counts = searched > 0 && t("mode.defences.searched", { searched, losing: losing.length, unsearched: unsearched.length });
    this.explained.textContent = this.explained.hidden ? "" : [t(`mode.${mode}.text`), counts].filter(Boolean).join(" ");
  }

  /** @param {Analysis} analysis */
  update(analysis) {
    const { lines, depth, seldepth, nodes, elapsed_ms } = analysis;
    this.analysis = analysis;
    this.#explain();
    const here = this.tree.node(analysis.node);
    if (here) here.chance = analysis.chance;
    this.#showBar(analysis.chance);
    // The analysis may find a win that the proof search has missed.
    if (this.proof.isMissing && (lines[0]?.mate ?? 0) > 0) this.proof.clear();
    const speed = elapsed_ms > 0 ? Math.round((nodes / elapsed_ms) * 1000) : 0;
    this.facts.textContent = [
      t("analysis.depth", { depth: `${depth}-${seldepth}` }),
      t("analysis.nodes", { nodes: shortNumber(nodes) }),
      t("analysis.speed", { speed: shortNumber(speed) }),
    ].join(" · ");
    lines.forEach((best, i) => {
      const row = (this.rows[i] ??= this.#row());
      const [value, moves] = row.children;
      set(value, { class: `chance ${best.mate !== null ? "mate" : ""}` });
      value.textContent = valueText(best, this.state?.turn ?? "black");
      // A forced win is shown in full.
      const shown = best.mate !== null ? best.points.length : MAX_SHOWN;
      moves.textContent = best.points.slice(0, shown).join(" ");
      const preview = () => this.handlers.preview(best.points.slice(0, this.stepped || shown));
      row.onpointerenter = row.onfocus = preview;
      row.onkeydown = (event) => this.#step(event, best.points, shown);
      row.onclick = () => this.handlers.playLine(best.points);
      // The line has changed under the pointer.
      if (row.matches(":hover, :focus")) preview();
    });
    while (this.rows.length > lines.length) {
      const gone = this.rows.pop();
      if (gone?.matches(":hover, :focus")) this.proof.restore();
      gone?.parentElement?.remove();
    }
  }

  /**
   * Shows the evaluation bar, during a game only by preference.
   * @param {number | undefined} chance Black's winning chance in thousandths, if it is known.
   */
  #showBar(chance) {
    const isHidden = !preferences.opinion && this.panel.hidden && this.state?.phase.kind !== "over";
    const shown = isHidden ? undefined : chance;
    const percent = Math.round((shown ?? 500) / 10);
    const frame = byId("bar");
    set(frame, {
      class: shown === undefined ? "unknown" : "",
      "aria-label": shown === undefined ? t("bar.unknown")
        : percent === 50 ? t("bar.even")
          : percent > 50 ? t("bar.black", { percent }) : t("bar.white", { percent: 100 - percent }),
    });
    frame.title = frame.getAttribute("aria-label") ?? "";
    this.bar.style.setProperty("--chance", String(shown ?? 500));
    byId("bar-number").textContent = shown === undefined ? "" : String(percent >= 50 ? percent : 100 - percent);
    byId("bar-number").className = percent >= 50 ? "black" : "white";
  }

  /**
   * Removes the lines. The one with the keyboard focus stays, empty, for the next analysis.
   * @param {boolean} isOver True if there is none.
   */
  #clear(isOver) {
    this.analysis = undefined;
    const kept = isOver ? undefined : this.rows.find((row) => row.matches(":focus-visible"));
    for (const item of [...this.list.children]) if (!kept || !item.contains(kept)) item.remove();
    this.rows = kept ? [kept] : [];
    if (!kept) return;
    for (const part of kept.children) part.textContent = "";
    kept.onclick = kept.onkeydown = kept.onfocus = kept.onpointerenter = null;
    this.stepped = 0;
    this.proof.restore();
  }

  /** @param {Proof} proof */
  showProof(proof) {
    this.proof.show(proof);
  }

  /**
   * Makes the preview of the focused line one move longer or shorter.
   * @param {KeyboardEvent} event
   * @param {string[]} points
   * @param {number} most The length of the preview without steps.
   */
  #step(event, points, most) {
    const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = Math.min(this.stepped || most, points.length);
    this.stepped = Math.min(Math.max(shown + direction, 1), points.length);
    this.handlers.preview(points.slice(0, this.stepped));
  }

  #row() {
    const row = html("button", { type: "button", class: "best-line", title: t("action.play_line") },
      html("span", { class: "chance" }), html("span", { class: "points" }));
    row.onpointerleave = row.onblur = () => {
      this.stepped = 0;
      this.proof.restore();
    };
    this.list.append(html("li", {}, row));
    return row;
  }
}

/**
 * An evaluation as text: black's winning chance in %, or the moves to a forced win, negative if white
 * wins.
 * @param {Line} line
 * @param {Color} turn
 */
function valueText({ chance, mate }, turn) {
  if (mate === null) return String(Math.round(chance / 10));
  const isBlacks = (mate > 0) === (turn === "black");
  return `#${isBlacks ? "" : "\u2212"}${Math.ceil(Math.abs(mate) / 2)}`;
}

/**
 * A move with its evaluation, and its rank compared with the best move.
 * @typedef {{point: string, text: string, rank: "first" | "good" | "fair" | "poor"}} Rated
 */

/**
 * The first moves of lines with their evaluations and ranks.
 * @param {Line[]} lines Best first.
 * @param {State} state
 * @returns {Rated[]}
 */
export function rated(lines, { turn, mode }) {
  // The value of a move in thousandths: the winning chance, or the closeness to balance.
  const worth = (/** @type {Line} */ { chance }) =>
    mode === "balance" ? -Math.abs(chance - 500) : turn === "black" ? chance : -chance;
  return lines.filter(({ points }) => points.length > 0).map((line, i) => {
    // Losses of winning chances, in thousandths, that separate the ranks.
    const worse = worth(lines[0]) - worth(line);
    const rank = i === 0 ? "first" : worse <= 25 ? "good" : worse <= 80 ? "fair" : "poor";
    return { point: line.points[0], text: valueText(line, turn), rank };
  });
}
