-- +goose Up
-- The reports of audits. The columns for lists come before the long ones.
CREATE TABLE audits (
	id          TEXT PRIMARY KEY,
	public_id   TEXT NOT NULL UNIQUE, -- with which anyone may read it
	owner_id    TEXT REFERENCES users (id) ON DELETE CASCADE, -- null for anonymous ones, which expire
	url         TEXT NOT NULL,
	final_url   TEXT NOT NULL,
	title       TEXT NOT NULL,
	overall     BIGINT NOT NULL, -- scores as shown
	og          BIGINT NOT NULL,
	twitter     BIGINT NOT NULL,
	seo         BIGINT NOT NULL,
	created_at  BIGINT NOT NULL, -- when the page was fetched
	ai_status   TEXT NOT NULL CHECK (ai_status IN ('', 'PENDING', 'READY', 'FAILED', 'SKIPPED')),
	ai_error    TEXT NOT NULL,
	ai_analysis TEXT, -- JSON, if READY
	report      TEXT NOT NULL -- all of it, as JSON
);
CREATE INDEX audits_owner ON audits (owner_id, id);
CREATE INDEX audits_nobodys ON audits (created_at) WHERE owner_id IS NULL;

-- The pictures of reports. A row is inserted before its file is written and deleted after it.
CREATE TABLE audit_files (
	digest   TEXT NOT NULL,
	name     TEXT NOT NULL,
	size     BIGINT NOT NULL,
	audit_id TEXT REFERENCES audits (id) ON DELETE SET NULL,
	free_at  BIGINT NOT NULL, -- when it may be deleted if no report has it
	PRIMARY KEY (digest, name)
);
CREATE INDEX audit_files_audit ON audit_files (audit_id);
CREATE INDEX audit_files_free ON audit_files (free_at) WHERE audit_id IS NULL;
