-- The columns and indexes by which rooms are found.
ALTER TABLE rooms ADD COLUMN first TEXT AS (state ->> '$.room.seats[0].person');
ALTER TABLE rooms ADD COLUMN second TEXT AS (state ->> '$.room.seats[1].person');
-- The person who is challenged.
ALTER TABLE rooms ADD COLUMN invited TEXT AS (state ->> '$.invited');
-- The last activity.
ALTER TABLE rooms ADD COLUMN touched INTEGER AS (state ->> '$.touched.secs');
-- Of correspondence rooms only: the person to move, and when the flag falls or the room closes.
ALTER TABLE rooms ADD COLUMN actor TEXT AS (state ->> '$.correspondence.actor');
ALTER TABLE rooms ADD COLUMN due INTEGER AS (state ->> '$.correspondence.due');
CREATE INDEX live_rooms ON rooms (room) WHERE due IS NULL;
CREATE INDEX correspondence_due ON rooms (due, room) WHERE due IS NOT NULL;
-- Without games that are over, of which a person may have thousands.
CREATE INDEX correspondence_of_first ON rooms (first)
WHERE due IS NOT NULL AND (stage <> 'over' OR state ->> '$.room.rematch_wish' IS NOT NULL);
CREATE INDEX correspondence_of_second ON rooms (second)
WHERE due IS NOT NULL AND (stage <> 'over' OR state ->> '$.room.rematch_wish' IS NOT NULL);
CREATE INDEX correspondence_of_actor ON rooms (actor, due, room) WHERE actor IS NOT NULL;
CREATE INDEX correspondence_challenges ON rooms (invited)
WHERE invited IS NOT NULL AND due IS NOT NULL;
CREATE INDEX correspondence_open ON rooms (touched DESC, room)
WHERE due IS NOT NULL AND stage = 'waiting';
-- The time before which no flag of a correspondence game falls, after an outage. One row at most.
CREATE TABLE grace (until INTEGER NOT NULL) STRICT;
