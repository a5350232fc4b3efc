/** The rules that the engine knows. */
export type Rule = "freestyle" | "standard" | "renju" | "caro" | "caro-overline";
export type Color = "black" | "white";

/** A game to begin. Points are text such as `h8`; `a1` is the bottom left one. */
export interface Setup {
  /** `freestyle` without it. */
  rule?: Rule;
  /** A side from 5 to 22, or two such as `20x15`; 15 without it. */
  size?: number | string;
  /** Moves that have been played. */
  moves?: string[];
}

/** A game as it is. */
export interface Game {
  rule: Rule;
  width: number;
  height: number;
  moves: string[];
  /** Who is to move. */
  turn: Color;
  /** How the game ended, once it has. A game of renju in which every point left is forbidden is a
   * draw. */
  result: { winner: Color | null; reason: string; stones: string[] } | null;
}

/** How far a search goes. Without any limit it goes on until it is stopped. */
export interface Limits {
  milliseconds?: number;
  nodes?: number;
  depth?: number;
  /** How many of the best moves are wanted, each with its line. */
  lines?: number;
  /** From 0, a beginner, to 100, which is the default. */
  strength?: number;
}

/** What a search has found so far, for the side to move. */
export interface Line {
  /** 0 is the best of several. */
  rank: number;
  depth: number;
  /** For the side to move: 200 units are one logit of its chance to win. */
  score: number;
  /** The chance of the side to move to win, from 0 to 1. */
  chance: number;
  /** The plies to a forced end: positive for a win, negative for a loss. */
  mate: number | null;
  nodes: number;
  milliseconds: number;
  moves: string[];
}

/** The answer of a search. */
export interface Answer {
  move: string;
  /** The last line of each rank; none where no search was needed. */
  lines: Line[];
}

/** What the search for a forced win found. */
export interface Solution {
  found: "win" | "none" | "unknown";
  plies: number | null;
  /** The longest defence; `--` is a move that prevents nothing. */
  line: string[];
  nodes: number;
}

/** How an engine is started. */
export interface Start {
  /** Whether searches are stopped through shared memory, the default where the page or program may
   * share memory. Without it `stop` ends the worker, and the next search begins without what the
   * last one knew. */
  shareMemory?: boolean;
  /** On how many threads `think` searches, from 1 to 16; on one, which is the default, where memory
   * isn't shared or the package was built without the module for more. */
  threads?: number;
  /** Gives the start up: its promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** A game, and an engine that knows it, in a worker. While it searches only `stop` and `end`
 * can be called. A call that is refused rejects its promise, says why, and changes nothing. */
export class Quincunx {
  private constructor();
  /** Starts the worker with a game, and answers when the weights of its rule are there, as
   * `newGame` does. */
  static start(setup?: Setup & Start): Promise<Quincunx>;
  /** The game after the last call that has answered. */
  readonly game: Game;
  /** On how many threads `think` searches. */
  readonly threads: number;
  newGame(setup?: Setup): Promise<Game>;
  /** The side to move plays a point. */
  play(point: string): Promise<Game>;
  /** Takes the last move back, if there is one. */
  undo(): Promise<Game>;
  /** Finds a move, which is not played. `onLine` hears of every line. */
  think(limits?: Limits, onLine?: (line: Line) => void): Promise<Answer>;
  /** Looks for a forced win of the side to move, trying at most `nodes` moves. */
  solve(limits?: { nodes?: number }): Promise<Solution>;
  /** The search that runs answers with the best it has. One that does not within a second, because
   * a thread of it is gone, is rejected, and another worker takes the game over. */
  stop(): void;
  /** The points that the side to move may not play. */
  forbidden(): Promise<{ point: string; kind: string }[]>;
  /** The value for the side to move without a search. */
  evaluate(): Promise<{ score: number; chance: number }>;
  /** Searches the positions of `quincunx bench`, which has the same number of nodes. */
  bench(depth: number): Promise<{ nodes: number; nodesPerSecond: number }>;
  /** Ends the worker. */
  end(): void;
}
