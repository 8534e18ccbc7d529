-- +goose Up
-- Audits of whole sites.
CREATE TABLE sites (
	id            TEXT PRIMARY KEY, -- a UUID of version 7
	owner_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	project_id    TEXT REFERENCES projects (id) ON DELETE CASCADE, -- of the key that began it; NULL for none
	url           TEXT NOT NULL, -- of the sitemap
	state         TEXT NOT NULL CHECK (state IN ('WAITING', 'RUNNING', 'READY', 'FAILED')),
	error         TEXT NOT NULL DEFAULT '', -- why it failed, as a sentence
	page_limit    BIGINT NOT NULL, -- how many pages are audited at most
	urls          TEXT NOT NULL DEFAULT '[]', -- JSON: the addresses of the pages to audit
	listed        BIGINT NOT NULL DEFAULT 0, -- how many addresses those are
	note          TEXT NOT NULL DEFAULT '', -- what was left out, as sentences
	report        TEXT, -- JSON, once all pages are audited
	picture_bytes BIGINT NOT NULL DEFAULT 0, -- of all small pictures
	created_at    BIGINT NOT NULL,
	finished_at   BIGINT -- NULL until it is READY or FAILED
);
CREATE INDEX sites_owner ON sites (owner_id, id);
CREATE INDEX sites_project ON sites (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX sites_created ON sites (created_at);
-- Their pages that were audited.
CREATE TABLE site_pages (
	site_id TEXT NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
	url     TEXT NOT NULL,
	place   TEXT NOT NULL, -- a UUID: worst pages have the highest ones
	unread  BOOLEAN NOT NULL, -- whether there is no report
	page    TEXT NOT NULL, -- JSON
	PRIMARY KEY (site_id, url)
);
CREATE UNIQUE INDEX site_pages_place ON site_pages (site_id, place);
-- The share images of those pages in small size, each once.
CREATE TABLE site_pictures (
	site_id TEXT NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
	name    TEXT NOT NULL, -- the digest of the file, with its ending
	data    BYTEA NOT NULL,
	PRIMARY KEY (site_id, name)
);
