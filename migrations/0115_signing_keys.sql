-- +goose Up
-- The keys that sign the addresses of a project on /og: '' for none. After a rotation the previous one is valid too.
ALTER TABLE projects ADD COLUMN signing_key TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN previous_signing_key TEXT NOT NULL DEFAULT '';
-- Whether addresses without a signature are refused.
ALTER TABLE projects ADD COLUMN require_signature BOOLEAN NOT NULL DEFAULT FALSE;
