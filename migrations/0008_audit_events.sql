-- +goose Up
-- The events of the audit log are called so. SQLite renames no index, and making one anew is the same on both.
ALTER TABLE trail_events RENAME TO audit_events;
DROP INDEX trail_events_at;
CREATE INDEX audit_events_at ON audit_events (at);
