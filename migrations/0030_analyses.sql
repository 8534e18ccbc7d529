-- +goose Up
-- Work to be done once, even if the program is killed. A running job has a holder, and is due again when the holder's
-- lease expires; a finished one is deleted.
CREATE TABLE jobs (
	kind     TEXT NOT NULL,
	key      TEXT NOT NULL, -- its subject: a kind has one job per subject at a time
	payload  TEXT NOT NULL, -- JSON
	attempts BIGINT NOT NULL, -- attempts begun
	due_at   BIGINT NOT NULL, -- when the next may begin
	holder   TEXT NOT NULL, -- of the running attempt; '' for none
	PRIMARY KEY (kind, key)
);
CREATE INDEX jobs_due ON jobs (kind, due_at);

-- The number of finished and pending analyses of an account in a month.
CREATE TABLE usage_analyses (
	owner_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	month    TEXT NOT NULL, -- such as 2026-11, in UTC
	units    BIGINT NOT NULL,
	PRIMARY KEY (owner_id, month)
);
