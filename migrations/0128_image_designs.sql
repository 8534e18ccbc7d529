-- +goose Up
-- Images of designs of the users' own: the design, the key that all of its versions have in common, and the request's
-- data, as JSON.
ALTER TABLE images ADD COLUMN design_id TEXT NOT NULL DEFAULT '';
ALTER TABLE images ADD COLUMN base_key TEXT NOT NULL DEFAULT '';
ALTER TABLE images ADD COLUMN data TEXT NOT NULL DEFAULT 'null';
CREATE INDEX images_design ON images (design_id) WHERE design_id <> '';
CREATE INDEX images_base_key ON images (base_key) WHERE base_key <> '';
