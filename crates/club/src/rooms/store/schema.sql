-- The tables of a club. Times are seconds since 1970 in UTC. True is 1, false 0.

-- Everybody who has taken a name or a seat.
CREATE TABLE people (
    person TEXT PRIMARY KEY,        -- the hash of the first key: 64 hexadecimal digits
    name TEXT NOT NULL,
    engine INTEGER NOT NULL,        -- true for the account of an engine
    maker TEXT,                     -- the person who made the account of an engine
    banned INTEGER NOT NULL,
    former INTEGER NOT NULL,        -- true for a forgotten person
    keys TEXT NOT NULL,             -- JSON: the hash of the key of each device, and its last day
    void_keys TEXT NOT NULL,        -- JSON: the hashes of keys that are no longer valid
    contacts TEXT NOT NULL          -- JSON: who may challenge the person, and who is blocked
) STRICT, WITHOUT ROWID;

-- Games that are over. The player of the first seat makes the first move of the opening.
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    ended INTEGER NOT NULL,
    room TEXT NOT NULL,
    rule TEXT NOT NULL,             -- freestyle, standard, renju, caro, caro-overline
    board TEXT NOT NULL,            -- 15, 13x15
    opening TEXT NOT NULL,          -- free, swap2, soosorv and so on
    clock TEXT NOT NULL,            -- JSON: kind, main_ms, increment_ms, period_ms, periods
    first TEXT,                     -- the person of the first seat, unless that is the engine
    first_level INTEGER,            -- the level of the engine in the first seat
    first_name TEXT NOT NULL,       -- the name at the time of the game
    second TEXT,
    second_level INTEGER,
    second_name TEXT NOT NULL,
    black TEXT,                     -- first or second; NULL if the opening did not settle it
    winner TEXT,                    -- first or second; NULL in a draw, and without a result
    reason TEXT NOT NULL,           -- five, resignation, time, agreement, ...; ended: no result
    rated INTEGER NOT NULL,
    weight REAL NOT NULL,           -- the weight of the game in the ratings
    private INTEGER NOT NULL,
    one_address INTEGER NOT NULL,   -- true if both players came from one address
    move_count INTEGER NOT NULL,
    moves TEXT NOT NULL             -- h8i9g7
) STRICT;
CREATE INDEX games_of_first ON games (first);
CREATE INDEX games_of_second ON games (second);

-- Rooms, in the form in which the server restores them.
CREATE TABLE rooms (
    room TEXT PRIMARY KEY,          -- 16 hexadecimal digits, as in its address
    state TEXT NOT NULL,            -- JSON
    stage TEXT AS (state ->> '$.room.stage'),           -- waiting, playing, over
    rule TEXT AS (state ->> '$.room.setup.rule'),
    moves TEXT AS (state ->> '$.room.moves')
) STRICT;

-- Tournaments, in the form in which the server restores them.
CREATE TABLE tournaments (
    tournament TEXT PRIMARY KEY,    -- 16 hexadecimal digits, as in its address
    state TEXT NOT NULL,            -- JSON; `numbers` are those of its games
    name TEXT AS (state ->> '$.setup.name'),
    rule TEXT AS (state ->> '$.setup.setup.rule')
) STRICT;

-- Banned ranges of addresses.
CREATE TABLE bans (range TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- The actions of administrators.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    action TEXT NOT NULL            -- JSON
) STRICT;

-- The games with a result, by colours. `black_score` is 1, 0.5 or 0.
CREATE VIEW results AS
SELECT number, datetime(ended, 'unixepoch') AS ended, rule, board, opening, rated, reason,
    iif(black = 'first', first_name, second_name) AS black,
    iif(black = 'first', second_name, first_name) AS white,
    iif(winner IS NULL, 0.5, winner = black) AS black_score,
    move_count, moves
FROM games
WHERE black IS NOT NULL AND reason NOT IN ('no_show', 'ended');

-- The games with a result once for each person who played. `score` is 1, 0.5 or 0.
CREATE VIEW plays AS
SELECT number, ended, rule, rated, first AS person, first_name AS name, second_name AS opponent,
    iif(winner IS NULL, 0.5, winner = 'first') AS score
FROM games WHERE first IS NOT NULL AND reason NOT IN ('no_show', 'ended')
UNION ALL
SELECT number, ended, rule, rated, second, second_name, first_name,
    iif(winner IS NULL, 0.5, winner = 'second')
FROM games WHERE second IS NOT NULL AND reason NOT IN ('no_show', 'ended');
