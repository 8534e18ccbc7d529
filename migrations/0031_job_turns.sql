-- +goose Up
-- Owners take turns: of the jobs that are due, the one with the lowest turn starts. An owner's next job has the turn
-- after the owner's last, and the first job of an owner never has a lower one than the waiting jobs.
ALTER TABLE jobs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
CREATE INDEX jobs_turn ON jobs (kind, turn);
CREATE INDEX jobs_owner ON jobs (kind, owner, turn);
