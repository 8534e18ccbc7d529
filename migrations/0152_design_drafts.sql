-- +goose Up
-- What people have changed of a design and not published: see package designs. window_id is who has saved it.
CREATE TABLE design_drafts (
	design_id    TEXT NOT NULL REFERENCES designs (id) ON DELETE CASCADE,
	user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	source       TEXT NOT NULL,
	url          TEXT NOT NULL,
	base_version INTEGER NOT NULL,
	revision     BIGINT NOT NULL,
	window_id    TEXT NOT NULL,
	saved_at     BIGINT NOT NULL,
	PRIMARY KEY (design_id, user_id)
);
CREATE INDEX design_drafts_user ON design_drafts (user_id);
