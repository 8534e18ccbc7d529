-- +goose Up
-- One row: what tells this installation from another. The folder of pictures holds the same id.
CREATE TABLE installation (
	singleton BIGINT PRIMARY KEY CHECK (singleton = 1),
	id        TEXT NOT NULL
);
