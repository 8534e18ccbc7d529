-- +goose Up
-- One row that identifies this installation. The folder of pictures contains the same ID.
CREATE TABLE installation (
	singleton BIGINT PRIMARY KEY CHECK (singleton = 1),
	id        TEXT NOT NULL
);
