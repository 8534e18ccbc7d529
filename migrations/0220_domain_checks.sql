-- +goose Up
-- Whether the domains of a project respond: one row for each project that was checked.
CREATE TABLE domain_checks (
	project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
	checks     TEXT NOT NULL, -- JSON: for each domain its state, why, when it was checked, and failures in a row
	failing    BOOLEAN NOT NULL -- whether one of them doesn't respond
);
