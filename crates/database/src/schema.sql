-- The entries of positions. `PRAGMA user_version` is 1.
CREATE TABLE positions (
    key BLOB PRIMARY KEY,       -- rule, width, height, side to move, and two bytes for each stone
    label TEXT,                 -- a letter, such as w and l, for the side that made the last move
    value INTEGER NOT NULL,     -- in units of the evaluation, for the side to move
    depth INTEGER NOT NULL,
    bound INTEGER NOT NULL,     -- of the value: 0 none, 1 upper, 2 lower, 3 exact
    mark TEXT,                  -- shown on the point of the last move
    text TEXT                   -- a comment
) STRICT, WITHOUT ROWID;

-- The number of positions, and the sum of the checksums of their rows.
CREATE TABLE summary (
    positions INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

INSERT INTO summary VALUES (0, 0);
