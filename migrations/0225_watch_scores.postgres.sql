-- +goose NO TRANSACTION
-- +goose Up
-- The latest scores of a watch, without reading its audits: see pkg/watches/store.go. What an interrupted start left
-- behind is dropped first.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS watch_runs_scored;
CREATE INDEX CONCURRENTLY watch_runs_scored ON watch_runs (watch_id, id, at, score, letter) WHERE letter <> '';
RESET lock_timeout;
