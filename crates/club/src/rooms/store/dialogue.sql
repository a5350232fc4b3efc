-- The dialogue of the opening, which the moves do not tell.
-- JSON: the choices in their order, such as ["two_stones", "white"] or [{"offers": 3}, "black"].
ALTER TABLE games ADD COLUMN choices TEXT NOT NULL DEFAULT '[]';
-- JSON: the fifth stones that black offered, such as ["i7", "j8"].
ALTER TABLE games ADD COLUMN offers TEXT NOT NULL DEFAULT '[]';
