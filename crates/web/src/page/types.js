// The messages of the server, as the type checker knows them. They are described
// in docs/messages.md.
// @ts-check

/** @typedef {"black" | "white"} Color */
/** @typedef {"person" | "engine"} Player */
/** @typedef {"black" | "white" | "two_stones" | {offers: number}} Choice */
/** @typedef {"sgf" | "psq" | "text" | "renlib" | "gif"} Format */

/**
 * @typedef {object} Time
 * @property {number | null} [turn_ms]
 * @property {number | null} [game_ms]
 * @property {number} [increment_ms]
 */

/**
 * @typedef {object} Setup
 * @property {string} rule
 * @property {string} size
 * @property {string} opening
 * @property {Player} black
 * @property {Player} white
 * @property {[string, string]} [names]
 * @property {number} level
 * @property {[number, number]} [levels]
 * @property {Time} time
 * @property {number} [handicap]
 * @property {Stones} [stones]
 * @property {string} [moves]
 */

/** @typedef {{black: string[], white: string[], first: Color}} Stones */

/**
 * @typedef {object} Welcome
 * @property {"welcome"} type
 * @property {number} version
 * @property {string} program
 * @property {string[]} rules
 * @property {string[]} openings
 * @property {[number, string][]} levels
 * @property {[number, number]} sides
 * @property {number} lines
 * @property {number} handicap
 * @property {boolean} may_stop
 * @property {SearchBounds} searches
 */

/** @typedef {{threads: number, most_threads: number, memory_mib: number, most_memory_mib: number}} SearchBounds */
/** @typedef {{threads?: number, memory_mib?: number, analysis_ms?: number, analysis_nodes?: number}} SearchLimits */

/**
 * @typedef {{kind: "place", first: boolean, stones: number}
 *   | {kind: "choose", first: boolean, options: Choice[]}
 *   | {kind: "offer", first: boolean, stones: number}
 *   | {kind: "pick", first: boolean}
 *   | {kind: "move"}
 *   | {kind: "over", winner: Color | null, reason: string}} Phase
 */

/** @typedef {{first: boolean, player: Player, choice: Choice}} Chosen */
/** @typedef {{point: string, color: Color, number: number | null}} Stone */
/** @typedef {{point: string, kind: string}} Forbidden */
/** @typedef {{color: Color, point: string, kind: string, stones: string[]}} Threat */
/** @typedef {{undo: boolean, redo: boolean, bring_back?: boolean, hint: boolean, go_on?: boolean, pass?: boolean, review?: boolean, resign: boolean, draw: boolean}} Actions */
/** @typedef {{black: number, white: number, running: Color | null}} Clock */

/**
 * @typedef {object} TreeNode
 * @property {number} id
 * @property {number | null} parent
 * @property {string} point
 * @property {Color} color
 * @property {number} number
 * @property {number} [rank]
 * @property {string} [comment]
 * @property {"doubtful" | "bad" | "very_bad"} [mark]
 * @property {number} [chance]
 */

/**
 * @typedef {object} State
 * @property {"state"} type
 * @property {number} [game]
 * @property {Setup} setup
 * @property {number} width
 * @property {number} height
 * @property {string[]} stars
 * @property {number} node
 * @property {Stone[]} stones
 * @property {Color} turn
 * @property {Phase} phase
 * @property {Player | null} actor
 * @property {[Player, Player] | null} players
 * @property {number | null} [acting]
 * @property {Chosen[]} [chosen]
 * @property {[number, number]} [levels]
 * @property {boolean} [opened]
 * @property {string[]} winning
 * @property {Forbidden[]} forbidden
 * @property {string[] | null} [allowed]
 * @property {string[]} [offers]
 * @property {Threat[]} threats
 * @property {{point: string, text: string}[]} [labels]
 * @property {boolean} thinking
 * @property {boolean} waiting
 * @property {number | null} analysis
 * @property {Mode} [mode]
 * @property {{games: number, moves: ExploredMove[], failed: boolean}} [explored]
 * @property {Actions} can
 * @property {Clock | null} clock
 * @property {boolean} [whole]
 * @property {TreeNode[]} tree
 * @property {number[]} [removed]
 * @property {string} [save]
 * @property {{moves: number, result: {winner: Color | null, reason: string} | null}} [summary]
 */

/** @typedef {{points: string[], games: number, black: number, white: number, draws: number}} ExploredMove */

/** @typedef {"best" | "defences" | "balance"} Mode */

/** @typedef {{points: string[], score: number, chance: number, mate: number | null}} Line */

/**
 * @typedef {object} Analysis
 * @property {"analysis"} type
 * @property {number} node
 * @property {Line[]} lines
 * @property {string[]} [losing]
 * @property {string[]} [unsearched]
 * @property {number} [searched]
 * @property {number} chance
 * @property {number} depth
 * @property {number} seldepth
 * @property {number} nodes
 * @property {number} elapsed_ms
 */

/**
 * @typedef {object} ProofNode
 * @property {string} point
 * @property {{point: string, refutation: ProofNode}[]} replies
 * @property {string[]} otherwise
 */

/**
 * @typedef {object} Proof
 * @property {"proof"} type
 * @property {number} node
 * @property {Color} winner
 * @property {boolean} threat
 * @property {"proof" | "line" | "no_threats" | "unknown"} found
 * @property {ProofNode | null} win
 * @property {number} plies
 * @property {number} nodes
 */

/**
 * A reviewed move. Chances are its player's, from 0 to 1.
 * @typedef {{number: number, color: Color, class: string, before: number, after: number, line: string[]}} MoveReview
 */

/**
 * @typedef {object} Review
 * @property {"review"} type
 * @property {number} game
 * @property {number} done
 * @property {number} steps
 * @property {number[]} nodes The node after each number of moves.
 * @property {MoveReview[]} mistakes
 * @property {{accuracy: {black: number | null, white: number | null},
 *   last_escape: {number: number, instead: string, certain: boolean, estimated: number | null} | null} | null} summary
 */

/** @typedef {{line?: number, column?: number, byte?: number, number?: number}} ErrorPlace */
/** @typedef {{type: "error", code: string, text: string, place?: ErrorPlace}} ErrorMessage */
/** @typedef {{code: string, values: Record<string, string>, place?: ErrorPlace, text: string}} Remark */

/**
 * @typedef {Welcome | State | Analysis | Proof | Review
 *   | {type: "hint", node: number, point: string}
 *   | {type: "draw_declined", reason: "better" | "early"}
 *   | {type: "opened", remarks: Remark[], games: number}
 *   | {type: "exported", format: Format, text: string}
 *   | ErrorMessage
 *   | {type: "refused", code: string, text: string, retry_s: number}
 *   | {type: "goodbye"}} ServerMessage
 */

/**
 * The fields of a message of this type.
 * @template {{type: string}} M
 * @template {M["type"]} T
 * @typedef {Omit<Extract<M, {type: T}>, "type">} Fields
 */

/**
 * Sends a message of one of these types.
 * @template {{type: string}} M
 * @template R
 * @typedef {<T extends M["type"]>(type: T, ...fields: {} extends Fields<M, T> ? [fields?: Fields<M, T>] : [fields: Fields<M, T>]) => R} Send
 */

export {};
