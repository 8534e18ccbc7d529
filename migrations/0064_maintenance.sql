-- +goose Up
-- A row while operations that change something are refused.
CREATE TABLE maintenance (
	singleton BIGINT PRIMARY KEY CHECK (singleton = 1),
	since     BIGINT NOT NULL,
	reason    TEXT NOT NULL -- for users; may be ''
);
