-- +goose Up
-- A job that was given up stays for a week with its last error, so that an operator can see it and retry it. Its due_at
-- is the largest BIGINT, so it is never due.
ALTER TABLE jobs ADD COLUMN id TEXT NOT NULL DEFAULT ''; -- a UUID of version 7
ALTER TABLE jobs ADD COLUMN last_error TEXT NOT NULL DEFAULT ''; -- of the last attempt that failed
ALTER TABLE jobs ADD COLUMN given_up_at BIGINT; -- Unix milliseconds; NULL for a job that is waiting or running
ALTER TABLE jobs ADD COLUMN retryable BOOLEAN NOT NULL DEFAULT TRUE; -- false if giving it up had consequences
UPDATE jobs SET id = key; -- analyses of audits, whose keys are UUIDs, are all there are so far
CREATE INDEX jobs_id ON jobs (id);
CREATE INDEX jobs_given_up ON jobs (given_up_at) WHERE given_up_at IS NOT NULL;
-- The index for claiming the next job: the one with the lowest turn among those that are due.
DROP INDEX jobs_turn;
CREATE INDEX jobs_next ON jobs (kind, turn, due_at);
