-- +goose Up
-- Work that did not finish by its deadline, such as drawing a picture. No node starts it again before it expires, so
-- that a retry costs no other node a worker.
CREATE TABLE hung_work (
	work_key   TEXT PRIMARY KEY, -- for a picture its cache key
	stage      TEXT NOT NULL, -- what did not finish, such as 'draw'
	node       TEXT NOT NULL, -- the host where it ran
	expires_at BIGINT NOT NULL
);
CREATE INDEX hung_work_expires ON hung_work (expires_at);
