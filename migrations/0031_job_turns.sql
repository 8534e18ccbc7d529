-- +goose Up
-- Owners take turns: of the jobs that are due the one with the least turn begins. An owner's next job has the turn after
-- the owner's last, and none that comes to an empty queue has an earlier one than what waits there.
ALTER TABLE jobs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
CREATE INDEX jobs_turn ON jobs (kind, turn);
CREATE INDEX jobs_owner ON jobs (kind, owner, turn);
