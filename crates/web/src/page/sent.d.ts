// Generated from the messages of the program. To write it anew:
// QUINCUNX_WRITE=1 cargo test -p quincunx-club --test schema

export type Action = { ply: number, point: string, type: "play" } | { choice: Choice, ply: number, type: "choose" } | { type: "resign" } | { type: "offer_draw" } | { type: "decline_draw" } | { type: "ask_undo" } | { type: "decline_undo" } | { type: "rematch" } | { type: "abort" };

export type AnalysisMode = "best" | "defences" | "balance";

export type Choice = "black" | "white" | "two_stones" | { offers: number };

export type ClientMessage = {
  changes?: boolean;
  left_ms?: number | null;
  node?: number | null;
  save?: string | null;
  type: "hello";
  version: number;
} | {
  black: Player;
  handicap?: number;
  level: number;
  levels?: [number, number] | null;
  moves?: string;
  names?: [string, string] | null;
  opening?: string;
  rule: string;
  size: string;
  stones?: Stones | null;
  time: Time;
  type: "new_game";
  white: Player;
} | { node: number, point: string, type: "play" } | { node: number, type: "pass" } | { choice: Choice, node: number, type: "choose" } | { type: "undo" } | { type: "redo" } | { node: number, type: "go_to" } | { node: number, points: string[], type: "line" } | { type: "resume" } | { type: "pause" } | { type: "resign" } | { type: "offer_draw" } | { type: "rematch" } | { type: "hint" } | { lines: number, mode?: AnalysisMode, type: "analyse" } | { type: "stop_analysis" } | {
  analysis_ms?: number | null;
  analysis_nodes?: number | null;
  memory_mib?: number | null;
  threads?: number | null;
  type: "limit";
} | { type: "prove" } | { type: "prove_threat" } | { type: "review" } | { type: "stop_review" } | { node: number, type: "try_again" } | { node: number, text: string, type: "comment" } | { node: number, point: string, text: string, type: "label" } | { from: string, node: number, to: string, type: "arrow" } | { black?: string, date?: string, event?: string, result?: string, type: "info", white?: string } | { node: number, type: "delete" } | { type: "bring_back" } | { node: number, type: "promote" } | { encoding?: string | null, game?: number, name?: string | null, text: string, type: "open" } | { left_ms?: number | null, node?: number | null, save: string, type: "restore" } | { format: Format, look?: PictureOptions, type: "export" } | { type: "stop_server" };

export type ClockRule = { kind: "sudden_death", main_ms: number } | { increment_ms: number, kind: "increment", main_ms: number } | { kind: "byoyomi", main_ms: number, period_ms: number, periods: number } | { days: number, kind: "correspondence" };

export type ClubRequest = { code?: string | null, key: string, type: "hello", version: number } | { name: string, type: "rename" } | {
  engine?: number | null;
  opponent?: string | null;
  private?: boolean;
  seat?: Seat | null;
  setup: RoomSetup;
  type: "create";
} | { setup: RoomSetup, type: "quick" } | { room: string, type: "decline" } | { blocked: boolean, name: string, type: "block" } | { policy: ContactPolicy, type: "contacts" } | { phrase: Phrase, type: "say" } | { room: string, sit?: boolean, type: "enter" } | { type: "leave" } | { type: "sit" } | { type: "close" } | { type: "claim" } | { lines: string[], ply: number, point?: Point | null, type: "conditional_moves" } | { type: "make_code" } | { type: "devices" } | { device: string, type: "end_device" } | { key: string, type: "new_key" } | { type: "forget" } | { name: string, type: "make_bot" } | { correspondence?: boolean, rule: string, type: "ratings" } | { type: "new_feed" } | { days: number, type: "vacation" } | { type: "correspondence" } | { name: string, type: "profile" };

export type Color = "black" | "white";

export type ContactPolicy = "all" | "named" | "none";

export type EntryRule = "open" | "link" | "approval";

export type Format = "sgf" | "psq" | "text" | "renlib" | "gif";

export type GravityMessage = { save?: string | null, type: "hello", version: number } | { columns: number, first: Player, level: number, rows: number, second: Player, type: "new_game" } | { column: number, ply: number, type: "drop" } | { type: "undo" } | { type: "redo" } | { on: boolean, type: "analyse" } | { type: "stop_server" };

export type PairingResult = { played: Score } | "first_absent" | "second_absent" | "neither" | "half_point";

export type Phrase = "hello" | "good_luck" | "well_played" | "thanks" | "one_moment" | "sorry" | "goodbye";

export type PictureOptions = { theme?: PictureTheme, view?: number };

export type PictureTheme = "wood" | "light" | "dark" | "paper" | "contrast";

export type Player = "person" | "engine";

export type Point = string;

export type RoomSetup = { clock: ClockRule, opening: string, rated: boolean, rule: string, size: string };

export type Score = "win" | "draw" | "loss";

export type Seat = "first" | "second";

export type Stones = { black: string[], first: Color, white: string[] };

export type Strength = { deviation: number, rating: number, volatility: number };

export type System = { double: boolean, kind: "round_robin" } | { double: boolean, kind: "all_at_once" } | { kind: "swiss", rounds: number };

export type Time = { game_ms?: number | null, increment_ms?: number, turn_ms?: number | null };

export type TournamentMessage = {
  days?: number | null;
  entry?: EntryRule;
  name: string;
  named_only?: boolean;
  no_show_s: number;
  pause_s: number;
  setup: RoomSetup;
  system: System;
  type: "create_tournament";
} | { tournament: string, type: "open_tournament" } | { type: "join_tournament" } | { type: "withdraw" } | { type: "begin_tournament" } | { type: "end_tournament" } | { name: string, type: "add_player" } | { name: string, type: "remove_player" } | { type: "remove_guests" } | { name: string, type: "organiser", wanted: boolean } | { name: string, type: "half_bye", wanted: boolean } | { first: string, second: string, type: "fix_pairing", wanted: boolean } | { first: string, second: string, type: "forbid_pairing", wanted: boolean } | { result: PairingResult, round: number, table: number, type: "correct_result" } | { held: boolean, type: "hold_round" } | { closed: boolean, type: "close_entry" } | { type: "next_round" } | { type: "rounds" };

export type TrainingMessage = { type: "hello", version: number } | { person: Strength, puzzle: string, result?: boolean | null, strength: Strength, type: "begin" } | { point: string, stones: number, type: "play" } | { type: "hint" } | { type: "give_up" };

export type VisitorMessage = Action | TournamentMessage | ClubRequest;
