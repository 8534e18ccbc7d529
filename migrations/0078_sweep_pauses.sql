-- +goose Up
-- Backups that are being written: until a moment, which they extend, no file is deleted.
CREATE TABLE sweep_pauses (
	id    TEXT PRIMARY KEY,
	until BIGINT NOT NULL
);
