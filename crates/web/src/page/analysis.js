// The analysis: the best lines, and the chances of both sides.
// @ts-check

import { button, byId, html, select, set, short, update } from "./dom.js";
import { t } from "./language.js";
import { prefer, preferences } from "./preferences.js";
import { ProofView } from "./proof.js";
import { threatWords } from "./threats.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").LineView} Line */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./received.js").Analysis} Analysis */
/** @typedef {import("./received.js").ProofView} Proof */
/** @typedef {import("./received.js").AnalysisMode} Mode */
/** @typedef {import("./received.js").Color} Color */

/** @type {Mode[]} */
const MODES = ["best", "defences", "balance"];

/** Moves of a line that are written out. */
const SHOWN = 12;

/**
 * @typedef {object} Wishes
 * @property {(points: string[], first?: Color) => void} preview
 * @property {() => void} turn Turns the engine on or off.
 * @property {(lines: number, mode: Mode) => void} analyse
 * @property {(points: string[]) => void} playLine
 * @property {() => void} prove
 * @property {() => void} proveThreat
 */

export class AnalysisView {
  /**
   * @param {Wishes} wishes
   * @param {Tree} tree
   */
  constructor(wishes, tree) {
    this.tree = tree;
    this.wishes = wishes;
    this.panel = byId("analysis");
    this.bar = byId("bar-black");
    this.facts = html("p", { class: "facts" });
    this.list = html("ol", { class: "best-lines" });
    this.threats = html("p", { class: "threat-list" });
    this.explained = html("p", { class: "facts" });
    this.view = html("p", { class: "facts view" });
    this.modeSelect = html("select");
    this.lineSelect = html("select");
    /** What is asked of the engine, while it is on. */
    this.asked = html("div", { class: "row" });
    /** @type {HTMLButtonElement[]} */
    this.provers = [];
    /** The state that the controls were built for. */
    this.built = "";
    this.proof = new ProofView(wishes.preview, wishes.playLine, () => this.provers[0]?.focus());
    /** @type {State | undefined} */
    this.state = undefined;
    /** @type {Mode | undefined} */
    this.mode = undefined;
    /** The analysis that the rows show. @type {Analysis | undefined} */
    this.analysis = undefined;
    /** @type {HTMLButtonElement[]} */
    this.rows = [];
    /** The number of moves of a line that are shown on the board by steps; zero without. */
    this.stepped = 0;
  }

  /**
   * @param {State} state
   * @param {number} mostLines
   */
  show(state, mostLines) {
    this.panel.hidden = this.asked.hidden = state.analysis === null;
    update(byId("engine"), button(t("action.analyse"), this.wishes.turn,
      { class: "switch", "aria-pressed": String(state.analysis !== null), "data-name": "analyse" }), this.asked);
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
    // Where threats are shown on the board, they are told beside it.
    this.threats.hidden = preferences.threats;
    this.threats.textContent = threatWords(state.threats.filter(({ kind }) => kind !== "four"));
  }

  /**
   * Builds the controls, unless they are there: a click is lost if its button is
   * replaced before it is released.
   * @param {number} mostLines
   */
  #build(mostLines) {
    const built = `${document.documentElement.lang} ${mostLines}`;
    if (built === this.built) return;
    this.built = built;
    const counts = [...Array(mostLines).keys()].map((n) =>
      /** @type {[string, string]} */ ([String(n + 1), String(n + 1)]));
    const ask = () => this.wishes.analyse(Number(this.lineSelect.value), /** @type {Mode} */ (this.modeSelect.value));
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
      prover(t("action.prove"), this.wishes.prove), prover(t("action.prove_threat"), this.wishes.proveThreat),
    ];
    this.asked.replaceChildren(this.modeSelect, html("label", { class: "small" }, `${t("analysis.lines")} `, this.lineSelect));
    this.panel.replaceChildren(
      // Buttons come before what grows, so that they stay where the user is about to click.
      this.explained, html("div", { class: "choices" }, ...this.provers),
      // What was asked for comes first, where it is seen.
      this.proof.element, this.facts, this.list, this.view, this.threats);
    // In another language what was found is told again.
    this.list.replaceChildren();
    this.rows = [];
    if (this.analysis && this.analysis.node === this.state?.node) this.update(this.analysis);
    this.proof.again?.();
  }

  /** Says what is looked for, and of defences which moves were searched. */
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
    // What one search has not found another may find.
    if (this.proof.isMissing && (lines[0]?.mate ?? 0) > 0) this.proof.clear();
    const speed = elapsed_ms > 0 ? Math.round((nodes / elapsed_ms) * 1000) : 0;
    this.facts.textContent = [
      t("analysis.depth", { depth: `${depth}-${seldepth}` }),
      t("analysis.nodes", { nodes: short(nodes) }),
      t("analysis.speed", { speed: short(speed) }),
    ].join(" · ");
    lines.forEach((best, i) => {
      const row = (this.rows[i] ??= this.#row());
      const [value, moves] = row.children;
      set(value, { class: `chance ${best.mate !== null ? "mate" : ""}` });
      value.textContent = valueText(best, this.state?.turn ?? "black");
      // A forced win is shown to its end.
      const shown = best.mate !== null ? best.points.length : SHOWN;
      moves.textContent = best.points.slice(0, shown).join(" ");
      const preview = () => this.wishes.preview(best.points.slice(0, this.stepped || shown));
      row.onpointerenter = row.onfocus = preview;
      row.onkeydown = (event) => this.#step(event, best.points, shown);
      row.onclick = () => this.wishes.playLine(best.points);
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
   * Shows who is better, beside the board. What no search has found looks unknown. While a game
   * is played the engine's opinion is shown to those who want it.
   * @param {number | undefined} chance Black's, in thousandths.
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
   * Takes the lines away. The one that the keyboard is at stays, empty, until there are others.
   * @param {boolean} isOver Whether there will be none.
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
   * Shows one move more or less of the line that has the focus.
   * @param {KeyboardEvent} event
   * @param {string[]} points
   * @param {number} most How many are shown at first.
   */
  #step(event, points, most) {
    const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = Math.min(this.stepped || most, points.length);
    this.stepped = Math.min(Math.max(shown + direction, 1), points.length);
    this.wishes.preview(points.slice(0, this.stepped));
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
 * A value as the page writes it everywhere: black's chances in %, or a forced win, counted in
 * the winner's moves, with a minus where it is white's.
 * @param {Line} line
 * @param {Color} turn
 */
function valueText({ chance, mate }, turn) {
  if (mate === null) return String(Math.round(chance / 10));
  const isBlacks = (mate > 0) === (turn === "black");
  return `#${isBlacks ? "" : "\u2212"}${Math.ceil(Math.abs(mate) / 2)}`;
}

/**
 * A move with its value in words, and how good it is beside the best one.
 * @typedef {{point: string, text: string, rank: "first" | "good" | "fair" | "poor"}} Rated
 */

/**
 * The first moves of lines as the board shows them.
 * @param {Line[]} lines The best first.
 * @param {State} state
 * @returns {Rated[]}
 */
export function rated(lines, { turn, mode }) {
  // The value of a move in thousandths: the chance to win, or the balance of both sides.
  const worth = (/** @type {Line} */ { chance }) =>
    mode === "balance" ? -Math.abs(chance - 500) : turn === "black" ? chance : -chance;
  return lines.filter(({ points }) => points.length > 0).map((line, i) => {
    // A twentieth of the chances, or a win given away, is a worse move.
    const worse = worth(lines[0]) - worth(line);
    const rank = i === 0 ? "first" : worse <= 25 ? "good" : worse <= 80 ? "fair" : "poor";
    return { point: line.points[0], text: valueText(line, turn), rank };
  });
}
