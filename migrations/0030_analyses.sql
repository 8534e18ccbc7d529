-- +goose Up
-- Work that is to be done once, whatever happens to the program meanwhile. A job that is being done has a holder, and
-- is due again when the lease of that ends; one that is done is deleted.
CREATE TABLE jobs (
	kind     TEXT NOT NULL,
	key      TEXT NOT NULL, -- what it is about: a kind has one job for it at a time
	payload  TEXT NOT NULL, -- JSON
	attempts BIGINT NOT NULL, -- that were begun
	due_at   BIGINT NOT NULL, -- when the next may begin
	holder   TEXT NOT NULL, -- of the attempt that runs; '' for none
	PRIMARY KEY (kind, key)
);
CREATE INDEX jobs_due ON jobs (kind, due_at);

-- How many analyses by a model an account has had, or waits for, in a month.
CREATE TABLE usage_analyses (
	owner_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	month    TEXT NOT NULL, -- such as 2026-11, in UTC
	units    BIGINT NOT NULL,
	PRIMARY KEY (owner_id, month)
);
