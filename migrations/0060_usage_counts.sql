-- +goose Up
-- Traffic that no plan meters, by account, day, project, key and kind. What usage_traffic has from before, and what
-- nodes of the version before add to it, is read beside it.
CREATE TABLE usage_counts (
	owner_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	day           TEXT NOT NULL, -- such as 2026-11-21, in UTC
	project_id    TEXT NOT NULL, -- stays when the project is deleted
	key_id        TEXT NOT NULL, -- '' for /og and for what was done without a key; stays when the key is deleted
	kind          TEXT NOT NULL, -- of the image
	drawn         BIGINT NOT NULL,
	generate_hits BIGINT NOT NULL, -- existing images that POST /images/generate returned
	public_hits   BIGINT NOT NULL, -- responses of /og
	PRIMARY KEY (owner_id, day, project_id, key_id, kind)
);
ALTER TABLE usage_units ADD COLUMN project_id TEXT NOT NULL DEFAULT ''; -- '' until the image is stored
ALTER TABLE usage_units ADD COLUMN key_id TEXT NOT NULL DEFAULT '';
