// Generated from the messages of the program. To write it anew:
// QUINCUNX_WRITE=1 cargo test -p quincunx-club --test schema

export type Account = "guest" | "person" | "engine";

export type Accuracy = { black: number | null, formula: string, white: number | null };

export type Actions = {
  bring_back: boolean;
  draw: boolean;
  go_on: boolean;
  hint: boolean;
  pass: boolean;
  redo: boolean;
  resign: boolean;
  review: boolean;
  undo: boolean;
};

export type Analysis = {
  chance: number;
  depth: number;
  elapsed_ms: number;
  lines: LineView[];
  losing?: string[];
  node: number;
  nodes: number;
  searched?: number;
  seldepth: number;
  unsearched?: string[];
};

export type AnalysisMode = "best" | "defences" | "balance";

export type Choice = "black" | "white" | "two_stones" | { offers: number };

export type ChosenView = { choice: Choice, first: boolean, player: Player };

export type ClockRule = { kind: "sudden_death", main_ms: number } | { increment_ms: number, kind: "increment", main_ms: number } | { kind: "byoyomi", main_ms: number, period_ms: number, periods: number } | { days: number, kind: "correspondence" };

export type ClockView = { black: number, running: Color | null, white: number };

export type ClubMessage = ClubWelcome & { type: "welcome" } | { account: Account, name: string, type: "name" } | LobbyView & { type: "lobby" } | LobbyChanges & { type: "lobby_changes" } | RoomView & { type: "room" } | { room: RoomId, seat: Seat | null, type: "seat" } | { lines: string[], room: RoomId, type: "conditional_moves" } | OwnRoom & { type: "your_room" } | { feed: string | null, games: CorrespondenceGame[], type: "correspondence", vacation: VacationView } | { count: number, next: RoomId | null, type: "your_turns" } | RoomSummary & { type: "challenge" } | { room: RoomId, type: "challenge_gone" } | ContactsView & { type: "contacts" } | { phrase: Phrase, room: RoomId, seat: Seat, type: "said" } | { room: RoomId, type: "closed" } | TournamentView & { type: "tournament" } | { room: RoomId, tournament: TournamentId, type: "round" } | { crosstable: CrossRow[], rounds: PairingView[][], tournament: TournamentId, type: "rounds" } | { code: string, type: "code", valid_s: number } | { devices: DeviceView[], type: "devices" } | { type: "renewed" } | { name: string, token: string, type: "token" } | { correspondence: boolean, rows: RatingRow[], rule: string, type: "ratings" } | ProfileView & { type: "profile" } | { code: string, retry_s?: number, text: string, type: "error" } | { code: string, retry_s: number, text: string, type: "refused" } | { type: "goodbye" };

export type ClubWelcome = {
  account: Account;
  address: string | null;
  contacts: ContactsView;
  levels: ([number, string])[];
  name: string;
  openings: OpeningRule[];
  program: string;
  rooms: OwnRoom[];
  rules: Rule[];
  version: number;
};

export type Color = "black" | "white";

export type ColumnValue = { kind: "win", plies: number } | { kind: "draw" } | { kind: "loss", plies: number };

export type ContactPolicy = "all" | "named" | "none";

export type ContactsView = { blocked: string[], policy: ContactPolicy };

export type CorrectionView = {
  at: number;
  by: string;
  from: PairingResult | null;
  round: number;
  table: number;
  to: PairingResult;
};

export type CorrespondenceGame = {
  actor: Seat | null;
  draw_offer: Seat | null;
  left_ms: number | null;
  moves: string;
  outcome: Outcome | null;
  rematch_wish: Seat | null;
  room: RoomId;
  seat: Seat;
  seats: [PlayerView | null, PlayerView | null];
  setup: RoomSetup;
  stage: Stage;
  stones: number;
  tournament: TournamentId | null;
  undo_wish: Seat | null;
};

export type CrossRow = { cells: string[], name: string };

export type DecisiveThreat = { kind: ThreatKind, point: Point };

export type DeviceView = { device: string, here: boolean, own: boolean, seen: number | null };

export type DrawRefusal = "better" | "early";

export type EntryRule = "open" | "link" | "approval";

export type ExploredMoveView = { black: number, draws: number, games: number, points: string[], white: number };

export type ExploredView = { failed: boolean, games: number, moves: ExploredMoveView[] };

export type Forbidden = "overline" | "double_four" | "double_three";

export type ForbiddenView = { kind: Forbidden, point: Point };

export type Format = "sgf" | "psq" | "text" | "renlib" | "gif";

export type GameEntry = { moves: number, result: GameResult | null };

export type GameInfo = { black: string, date: string, event: string, result: string, white: string };

export type GamePage = { before: number | null, games: GameSummary[] };

export type GameResult = { reason: string, winner: Color | null };

export type GameSummary = {
  black: Seat | null;
  ended: number;
  move_count: number;
  moves?: string;
  number: number;
  outcome: Outcome;
  players: [string, string];
  private: boolean;
  rated: boolean;
  setup: RoomSetup;
};

export type GameView = {
  black: Seat | null;
  chosen?: ([Seat, Choice])[];
  corrections?: CorrectionView[];
  ended: number;
  height: number;
  move_count: number;
  moves?: string;
  number: number;
  offers?: Point[];
  outcome: Outcome;
  players: [string, string];
  private: boolean;
  rated: boolean;
  setup: RoomSetup;
  stars: Point[];
  stones: StoneView[];
  width: number;
  winning: Point[];
};

export type GravityReply = GravityState & { type: "state" } | { elapsed_ms: number, nodes: number, type: "progress" } | { code: string, text: string, type: "error" };

export type GravityState = {
  actor: Player | null;
  can_redo: boolean;
  can_undo: boolean;
  chances: (number | null)[] | null;
  columns: number;
  level: number;
  line: ([number, number])[];
  open: number[];
  over: boolean;
  players: [Player, Player];
  rows: number;
  save: string;
  stones: StoneAt[];
  thinking: boolean;
  turn: Side;
  values: (ColumnValue | null)[] | null;
  winner: Side | null;
};

export type LabelView = { point: string, text: string };

export type LastEscape = { certain: boolean, estimated: number | null, instead: Point, number: number };

export type LineView = { chance: number, mate: number | null, points: string[], score: number };

export type ListChange = { gone: RoomId[], put: ([number, RoomSummary])[] };

export type ListChange2 = { gone: TournamentId[], put: ([number, TournamentSummary])[] };

export type ListChange3 = { gone: string[], put: ([number, PersonView])[] };

export type LobbyChanges = {
  here?: ListChange3;
  live?: ListChange;
  open?: ListChange;
  stones?: ([RoomId, number, string])[];
  tournaments?: ListChange2;
  visitors?: number;
};

export type LobbyView = {
  here: PersonView[];
  live: RoomSummary[];
  open: RoomSummary[];
  tournaments: TournamentSummary[];
  visitors: number;
};

export type Location = { column?: number, line: number } | { byte: number } | { number: number };

export type LossAllowed = { instead: Point, proof: ProofSummary };

export type MoveReview = {
  after: number;
  before: number;
  best: Point | null;
  class: string;
  color: Color;
  forbidden: string | null;
  line: Point[];
  loss_allowed: LossAllowed | null;
  lost: number;
  move: Point;
  number: number;
  win_missed: WinMissed | null;
};

export type NamedOpening = { direct: boolean, name: string, number: number };

export type NodeView = {
  chance?: number;
  color: Color;
  comment?: string;
  id: number;
  mark?: string;
  number: number;
  parent: number | null;
  point: string;
  rank?: number;
};

export type OpeningRule = "free" | "swap1" | "swap2" | "pro" | "long-pro" | "rif" | "yamaguchi" | "soosorv" | "tarannikov" | "taraguchi";

export type Outcome = { reason: string, winner: Seat | null };

export type OwnRoom = {
  actor: Seat | null;
  draw_offer: Seat | null;
  outcome: Outcome | null;
  rematch_wish: Seat | null;
  room: RoomId;
  seat: Seat;
  seats: [PlayerView | null, PlayerView | null];
  setup: RoomSetup;
  stage: Stage;
  stones: number;
  tournament: TournamentId | null;
  undo_wish: Seat | null;
};

export type PairingResult = { played: Score } | "first_absent" | "second_absent" | "neither" | "half_point";

export type PairingView = {
  first: string;
  points: [number, number] | null;
  result: PairingResult | null;
  room: RoomId | null;
  second: string | null;
};

export type PersonView = { bot: boolean, name: string };

export type Phase = { first: boolean, kind: "place", stones: number } | { first: boolean, kind: "choose", options: Choice[] } | { first: boolean, kind: "offer", stones: number } | { first: boolean, kind: "pick" } | { kind: "move" } | GameResult & { kind: "over" };

export type Phrase = "hello" | "good_luck" | "well_played" | "thanks" | "one_moment" | "sorry" | "goodbye";

export type PlaceView = {
  buchholz: number;
  direct: number;
  games: number;
  name: string;
  place: number;
  player: number;
  points: number;
  sonneborn_berger: number;
  withdrawn: boolean;
};

export type Player = "person" | "engine";

export type PlayerView = {
  alike?: string[];
  bot: boolean;
  engine: number | null;
  here: boolean;
  name: string | null;
  provisional: boolean;
  rating: number | null;
  vacation?: number;
};

export type Point = string;

export type ProfileStanding = {
  correspondence: boolean;
  curve: ([number, number])[];
  deviation: number;
  points: number;
  provisional: boolean;
  rating: number;
  results: [number, number, number];
  rule: string;
};

export type ProfileView = {
  against_you: [number, number, number];
  games: GameSummary[];
  name: string;
  standings: ProfileStanding[];
  tournaments: TournamentSummary[];
};

export type ProofNode = { otherwise: string[], point: string, replies: ProofReply[] };

export type ProofReply = { point: string, refutation: ProofNode };

export type ProofStatus = "proof" | "line" | "no_threats" | "unknown";

export type ProofSummary = { line: string[], moves: number, plies: number };

export type ProofView = {
  found: ProofStatus;
  node: number;
  nodes: number;
  plies: number;
  threat: boolean;
  win: ProofNode | null;
  winner: Color;
};

export type RatingRow = {
  bot: boolean;
  correspondence: boolean;
  deviation: number;
  name: string;
  place: number;
  points: number;
  provisional: boolean;
  rating: number;
  results: [number, number, number];
  rule: string;
};

export type RemarkView = { code: string, place?: Location, text: string, values: Record<string, string> };

export type ReviewSummary = { accuracy: Accuracy, last_escape: LastEscape | null, turning_points: TurningPoint[] };

export type ReviewView = {
  done: number;
  game: number;
  mistakes: MoveReview[];
  nodes: number[];
  steps: number;
  summary: ReviewSummary | null;
};

export type RoomId = string;

export type RoomSetup = { clock: ClockRule, opening: string, rated: boolean, rule: string, size: string };

export type RoomSummary = {
  moves?: string;
  room: RoomId;
  seats: [PlayerView | null, PlayerView | null];
  setup: RoomSetup;
  stones: number;
};

export type RoomView = {
  actor: Seat | null;
  allowed: Point[] | null;
  answers: number;
  awaits: boolean;
  black: Seat | null;
  can_abort: boolean;
  chosen: ([Seat, Choice])[];
  clock: [TimeView, TimeView];
  draw_offer: Seat | null;
  forbidden: ForbiddenView[];
  games: number;
  gone_ms: [number | null, number | null];
  height: number;
  named_opening: NamedOpening | null;
  offers: Point[];
  outcome: Outcome | null;
  phase: Phase;
  rating_changes: [number | null, number | null];
  rematch_wish: Seat | null;
  room: RoomId;
  runs: boolean;
  seats: [PlayerView | null, PlayerView | null];
  setup: RoomSetup;
  stage: Stage;
  stars: Point[];
  stones: StoneView[];
  tournament: TournamentId | null;
  turn: Color;
  undo_wish: Seat | null;
  watchers: number;
  width: number;
  winning: Point[];
};

export type Rule = "freestyle" | "standard" | "renju" | "caro" | "caro-overline";

export type Score = "win" | "draw" | "loss";

export type SearchBounds = { memory_mib: number, most_memory_mib: number, most_threads: number, threads: number };

export type Seat = "first" | "second";

export type ServerMessage = Welcome & { type: "welcome" } | State & { type: "state" } | Analysis & { type: "analysis" } | { node: number, point: string, type: "hint" } | ProofView & { type: "proof" } | ReviewView & { type: "review" } | { reason: DrawRefusal, type: "draw_declined" } | { games: number, remarks: RemarkView[], type: "opened" } | { format: Format, text: string, type: "exported" } | { code: string, place?: Location, text: string, type: "error" } | { type: "goodbye" };

export type Setup = {
  black: Player;
  handicap?: number;
  level: number;
  levels?: [number, number];
  moves: string;
  names?: [string, string];
  opening: string;
  rule: string;
  size: string;
  stones?: Stones;
  time: Time;
  white: Player;
};

export type Side = "first" | "second";

export type Stage = "waiting" | "playing" | "over";

export type State = {
  acting: number | null;
  actor: Player | null;
  allowed: string[] | null;
  analysis: number | null;
  arrows?: ([string, string])[];
  can: Actions;
  chosen?: ChosenView[];
  clock: ClockView | null;
  explored?: ExploredView;
  forbidden: ForbiddenView[];
  game: number;
  height: number;
  info?: GameInfo;
  labels?: LabelView[];
  levels: [number, number];
  mode: AnalysisMode;
  named_opening?: NamedOpening;
  node: number;
  offers: string[];
  opened: boolean;
  phase: Phase;
  players: [Player, Player] | null;
  removed?: number[];
  save?: string;
  setup: Setup;
  stars: string[];
  stones: StoneView[];
  summary?: GameEntry;
  thinking: boolean;
  threats: ThreatView[];
  tree: NodeView[];
  turn: Color;
  waiting: boolean;
  whole: boolean;
  width: number;
  winning: string[];
};

export type StoneAt = { column: number, row: number, side: Side };

export type StoneView = { color: Color, number: number | null, point: Point };

export type Stones = { black: string[], first: Color, white: string[] };

export type Strength = { deviation: number, rating: number, volatility: number };

export type StrengthLimits = { deviation: [number, number], rating: [number, number], volatility: [number, number] };

export type System = { double: boolean, kind: "round_robin" } | { double: boolean, kind: "all_at_once" } | { kind: "swiss", rounds: number };

export type ThreatKind = "five" | "open_four" | "double_four" | "four_three" | "double_three";

export type ThreatView = { color: Color, kind: string, point: string, stones: string[] };

export type Time = { game_ms: number | null, increment_ms: number, turn_ms: number | null };

export type TimeView = { main: number, period: number, periods: number };

export type TournamentId = string;

export type TournamentStage = "open" | "running" | "over";

export type TournamentSummary = {
  days?: number;
  entry: EntryRule;
  entry_closed: boolean;
  maker: string;
  name: string;
  named_only: boolean;
  no_show_s: number;
  pause_s: number;
  players: number;
  round: number;
  rounds: number;
  setup: RoomSetup;
  stage: TournamentStage;
  system: System;
  tournament: TournamentId;
};

export type TournamentView = {
  asking: string[];
  corrections: CorrectionView[];
  days?: number;
  deadline?: number;
  entry: EntryRule;
  entry_closed: boolean;
  fixed: ([string, string])[];
  forbidden: ([string, string])[];
  half_byes: string[];
  held: boolean;
  maker: string;
  name: string;
  named_only: boolean;
  next_round_ms: number | null;
  no_show_s: number;
  organisers: string[];
  pairings: PairingView[];
  pause_s: number;
  players: number;
  round: number;
  round_ms: number | null;
  rounds: number;
  setup: RoomSetup;
  stage: TournamentStage;
  standings: PlaceView[];
  system: System;
  tournament: TournamentId;
};

export type TrainingEnd = { kind: "open" } | { kind: "solved" } | { kind: "wrong", line: string[] } | { kind: "slow" } | { kind: "unknown" } | { kind: "moves", moves: number } | { column: string, kind: "column" } | { kind: "point", point: string };

export type TrainingReply = {
  limits: StrengthLimits;
  person: Strength;
  puzzles: Strength[];
  sets: string[];
  type: "welcome";
  version: number;
} | TrainingState & { type: "state" } | { code: string, text: string, type: "error" };

export type TrainingState = {
  end: TrainingEnd;
  forbidden: ForbiddenView[];
  grade: number;
  height: number;
  hint_loses: boolean;
  kind: string;
  person: Strength;
  position: string;
  puzzle: string;
  result: boolean | null;
  rule: string;
  solved: boolean;
  stake: number | null;
  stars: string[];
  stones: StoneView[];
  strength: Strength;
  turn: Color;
  width: number;
  winning: string[];
};

export type TurningPoint = { allowed: DecisiveThreat | null, missed: DecisiveThreat | null, number: number };

export type VacationView = { days_left: number, until: number | null };

export type Welcome = {
  handicap: number;
  levels: ([number, string])[];
  lines: number;
  may_stop: boolean;
  openings: string[];
  program: string;
  rules: string[];
  searches: SearchBounds;
  sides: [number, number];
  version: number;
};

export type WinMissed = { proof: ProofSummary, reply: Point | null };
