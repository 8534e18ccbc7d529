-- +goose Up
-- Readings of pages by the names of crawlers. One without a report only counts for the limit of its host.
CREATE TABLE crawler_reads (
	id          TEXT PRIMARY KEY, -- a UUID of version 7
	owner_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	report_id   TEXT REFERENCES audits (public_id) ON DELETE SET NULL,
	host        TEXT NOT NULL,
	url         TEXT NOT NULL,
	state       TEXT NOT NULL CHECK (state IN ('WAITING', 'RUNNING', 'READY', 'FAILED')),
	error       TEXT NOT NULL DEFAULT '', -- why it failed, as a sentence
	lens        TEXT, -- JSON: what was seen so far
	created_at  BIGINT NOT NULL,
	finished_at BIGINT -- NULL until it is READY or FAILED
);
CREATE UNIQUE INDEX crawler_reads_report ON crawler_reads (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX crawler_reads_host ON crawler_reads (host, created_at);
CREATE INDEX crawler_reads_owner ON crawler_reads (owner_id);
CREATE INDEX crawler_reads_created ON crawler_reads (created_at) WHERE report_id IS NULL;
