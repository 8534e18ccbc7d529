-- +goose Up
-- When a design is deleted, in milliseconds, unless that is taken back; null for all that stay: see pkg/undo.
ALTER TABLE designs ADD COLUMN deleting_at BIGINT;
CREATE INDEX designs_deleting ON designs (deleting_at) WHERE deleting_at IS NOT NULL;
