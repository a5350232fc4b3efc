// The messages of the club, as the type checker knows them. They are described in
// docs/messages.md.
// @ts-check

/** @typedef {import("./types.js").Color} Color */
/** @typedef {"first" | "second"} Seat */
/** @typedef {"waiting" | "playing" | "over"} Stage */
/** @typedef {"guest" | "person" | "engine"} Account */
/** @typedef {{device: string, seen: number | null, here: boolean, own: boolean}} Device */
/** @typedef {{kind: "sudden_death", main_ms: number}
 *   | {kind: "increment", main_ms: number, increment_ms: number}
 *   | {kind: "byoyomi", main_ms: number, period_ms: number, periods: number}} ClockRule */

/**
 * @typedef {object} RoomSetup
 * @property {string} rule
 * @property {string} size
 * @property {string} opening
 * @property {ClockRule} clock
 * @property {boolean} rated
 */

/**
 * @typedef {object} Welcome
 * @property {"welcome"} type
 * @property {string} name
 * @property {Account} account
 * @property {string[]} rules
 * @property {string[]} openings
 * @property {[number, string][]} levels
 * @property {OwnRoom[]} rooms
 * @property {string | null} address
 * @property {Contacts} contacts
 */

/** @typedef {{policy: "all" | "named" | "none", blocked: string[]}} Contacts */

/** @typedef {{name: string | null, engine: number | null, bot: boolean, rating: number | null, provisional: boolean,
 *   here: boolean, alike?: string[]}} Player */
/** @typedef {{winner: Seat | null, reason: string}} Outcome */
/** @typedef {{main: number, periods: number, period: number}} TimeLeft */

/**
 * @typedef {object} RoomSummary
 * @property {string} room
 * @property {RoomSetup} setup
 * @property {[Player | null, Player | null]} seats
 * @property {number} stones
 */

/**
 * A room where the visitor has a seat.
 * @typedef {RoomSummary & {tournament: string | null, stage: Stage, seat: Seat,
 *   actor: Seat | null, draw_offer: Seat | null, undo_wish: Seat | null,
 *   rematch_wish: Seat | null, outcome: Outcome | null}} OwnRoom
 */

/**
 * @typedef {object} GameSummary
 * @property {number} number
 * @property {RoomSetup} setup
 * @property {[string, string]} players
 * @property {Seat | null} black
 * @property {Outcome} outcome
 * @property {number} move_count
 * @property {string} [moves] In lists only of private games.
 * @property {number} ended
 * @property {boolean} rated
 * @property {boolean} private
 */

/** @typedef {GameSummary & {moves: string, width: number, height: number, stars: string[],
 *   stones: import("./types.js").Stone[], winning: string[], corrections?: Correction[]}} Game */
/** @typedef {{games: GameSummary[], before: number | null}} GamePage */

/** @typedef {{kind: "round_robin", double: boolean} | {kind: "swiss", rounds: number}} System */

/**
 * @typedef {object} TournamentSummary
 * @property {string} tournament
 * @property {string} name
 * @property {System} system
 * @property {RoomSetup} setup
 * @property {number} no_show_s
 * @property {number} pause_s
 * @property {boolean} named_only
 * @property {"open" | "link" | "approval"} entry
 * @property {string} maker
 * @property {"open" | "running" | "over"} stage
 * @property {boolean} entry_closed
 * @property {number} players
 * @property {number} round
 * @property {number} rounds
 */

/**
 * @typedef {object} Place
 * @property {string} name
 * @property {number} place
 * @property {number} points
 * @property {number} buchholz
 * @property {number} sonneborn_berger
 * @property {number} direct
 * @property {number} games
 * @property {boolean} withdrawn
 */

/**
 * @typedef {object} Pairing
 * @property {string} first
 * @property {string | null} second
 * @property {[number, number] | null} points
 * @property {string | null} room
 */

/** @typedef {{round: number, table: number, by: string, at: number, from: unknown, to: unknown}} Correction */

/** @typedef {TournamentSummary & {type: "tournament", standings: Place[], pairings: Pairing[],
 *   organisers: string[], half_byes: string[], fixed: [string, string][], forbidden: [string, string][],
 *   round_ms: number | null, asking: string[], corrections: Correction[],
 *   held: boolean, next_round_ms: number | null}} Tournament */

/** @typedef {{type: "rounds", tournament: string, rounds: Pairing[][],
 *   crosstable: {name: string, cells: string[]}[]}} Rounds */

/**
 * @typedef {object} Lobby
 * @property {"lobby"} type
 * @property {RoomSummary[]} open
 * @property {RoomSummary[]} live
 * @property {GameSummary[]} finished
 * @property {TournamentSummary[]} tournaments
 * @property {number} visitors
 * @property {{name: string, bot: boolean}[]} here
 */

/**
 * Items to take out by their keys, and items with the places where they come in.
 * @template K, T
 * @typedef {{gone: K[], put: [number, T][]}} ListChange
 */

/**
 * @typedef {object} LobbyChanges
 * @property {"lobby_changes"} type
 * @property {ListChange<string, RoomSummary>} [open]
 * @property {ListChange<string, RoomSummary>} [live]
 * @property {[string, number][]} [stones]
 * @property {ListChange<number, GameSummary>} [finished]
 * @property {ListChange<string, TournamentSummary>} [tournaments]
 * @property {ListChange<string, {name: string, bot: boolean}>} [here]
 * @property {number} [visitors]
 */

/**
 * @typedef {object} Standing
 * @property {string} rule
 * @property {number} rating
 * @property {number} deviation
 * @property {boolean} provisional
 * @property {number} points
 * @property {[number, number, number]} results
 */

/** @typedef {{type: "ratings", rule: string, rows: (Standing & {place: number, name: string, bot: boolean})[]}} Ratings */

/**
 * @typedef {object} Profile
 * @property {"profile"} type
 * @property {string} name
 * @property {Standing[]} standings
 * @property {GameSummary[]} games
 * @property {[number, number, number]} against_you
 */

/**
 * @typedef {object} Room
 * @property {"room"} type
 * @property {string} room
 * @property {string | null} tournament
 * @property {RoomSetup} setup
 * @property {Stage} stage
 * @property {[Player | null, Player | null]} seats
 * @property {number} games
 * @property {number} watchers
 * @property {number} width
 * @property {number} height
 * @property {string[]} stars
 * @property {import("./types.js").Stone[]} stones
 * @property {Color} turn
 * @property {import("./types.js").Phase} phase
 * @property {Seat | null} actor
 * @property {Seat | null} black
 * @property {string[]} winning
 * @property {import("./types.js").Forbidden[]} forbidden
 * @property {[TimeLeft, TimeLeft]} clock
 * @property {boolean} runs
 * @property {boolean} awaits
 * @property {[number | null, number | null]} gone_ms
 * @property {boolean} can_abort
 * @property {Seat | null} draw_offer
 * @property {Seat | null} undo_wish
 * @property {Seat | null} rematch_wish
 * @property {Outcome | null} outcome
 * @property {[number | null, number | null]} rating_changes
 */

/**
 * @typedef {Welcome | Lobby | LobbyChanges | Room | Tournament | Rounds | Ratings | Profile
 *   | ({type: "your_room"} & OwnRoom)
 *   | ({type: "challenge"} & RoomSummary)
 *   | {type: "challenge_gone", room: string}
 *   | ({type: "contacts"} & Contacts)
 *   | {type: "said", room: string, seat: Seat, phrase: string}
 *   | {type: "closed", room: string}
 *   | {type: "round", tournament: string, room: string}
 *   | {type: "name", name: string, account: Account}
 *   | {type: "code", code: string, valid_s: number}
 *   | {type: "devices", devices: Device[]}
 *   | {type: "renewed"}
 *   | {type: "token", name: string, token: string}
 *   | {type: "seat", room: string, seat: Seat | null}
 *   | {type: "error", code: string, text: string, retry_s?: number}
 *   | {type: "refused", code: string, text: string, retry_s: number}
 *   | {type: "goodbye"}} ClubMessage
 */

/** @typedef {(type: string, fields?: object) => string | undefined} Send */

export {};
