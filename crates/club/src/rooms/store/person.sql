-- What people have besides for their correspondence games.
-- JSON: the last vacation, and the used days of its year.
ALTER TABLE people ADD COLUMN vacation TEXT NOT NULL DEFAULT '{}';
-- The secret in the address of the feed of their games, 32 hexadecimal digits; NULL without a feed.
ALTER TABLE people ADD COLUMN feed TEXT;
CREATE UNIQUE INDEX feeds ON people (feed) WHERE feed IS NOT NULL;
