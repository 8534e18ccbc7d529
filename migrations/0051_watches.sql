-- +goose Up
-- Pages that are audited again and again.
CREATE TABLE watches (
	id         TEXT PRIMARY KEY, -- a UUID of version 7
	public_id  TEXT NOT NULL UNIQUE, -- 22 digits, of its badge
	owner_id   TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id TEXT REFERENCES projects (id) ON DELETE CASCADE, -- NULL for none
	url        TEXT NOT NULL,
	every      TEXT NOT NULL CHECK (every IN ('day', 'week')),
	run_id     TEXT NOT NULL DEFAULT '', -- of the audit that runs; its report's id
	report_id  TEXT NOT NULL DEFAULT '', -- the public id of the latest report
	score      BIGINT NOT NULL DEFAULT 0, -- of the latest report
	letter     TEXT NOT NULL DEFAULT '', -- of the latest report; '' before the first
	error      TEXT NOT NULL DEFAULT '', -- why the latest audit failed
	last_at    BIGINT, -- of the latest audit
	next_at    BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL
);
CREATE INDEX watches_owner ON watches (owner_id, id);
CREATE INDEX watches_project ON watches (project_id) WHERE project_id IS NOT NULL;

-- The audits of watched pages.
CREATE TABLE watch_runs (
	id        TEXT PRIMARY KEY, -- a UUID of version 7
	watch_id  TEXT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
	at        BIGINT NOT NULL,
	report_id TEXT NOT NULL, -- '' if the page couldn't be loaded
	score     BIGINT NOT NULL,
	letter    TEXT NOT NULL,
	error     TEXT NOT NULL,
	changes   TEXT NOT NULL -- JSON: an array of sentences
);
CREATE INDEX watch_runs_page ON watch_runs (watch_id, id);
CREATE INDEX watch_runs_at ON watch_runs (at);

-- What was found in them, from the audit that found it first to the one that no longer did.
CREATE TABLE watch_findings (
	id       TEXT PRIMARY KEY, -- a UUID of version 7
	watch_id TEXT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
	subject  TEXT NOT NULL, -- a rule of audits, a picture, the grade or the page
	severity TEXT NOT NULL,
	told     BOOLEAN NOT NULL, -- whether its owner was told of it
	words    TEXT NOT NULL, -- JSON: what it is called
	since    BIGINT NOT NULL,
	until    BIGINT -- NULL while it is open
);
CREATE UNIQUE INDEX watch_findings_open ON watch_findings (watch_id, subject) WHERE until IS NULL;
CREATE INDEX watch_findings_page ON watch_findings (watch_id, since);
CREATE INDEX watch_findings_until ON watch_findings (until) WHERE until IS NOT NULL;
