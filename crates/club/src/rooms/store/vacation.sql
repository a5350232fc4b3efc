-- JSON: the last vacation from correspondence games, and the used days of its year.
ALTER TABLE people ADD COLUMN vacation TEXT NOT NULL DEFAULT '{}';
