-- +goose Up
-- The latest scores of a watch, without reading its audits: see pkg/watches/store.go.
CREATE INDEX watch_runs_scored ON watch_runs (watch_id, id, at, score, letter) WHERE letter <> '';
