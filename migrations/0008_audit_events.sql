-- +goose Up
-- Renames the table of the audit log. SQLite can't rename an index, and recreating it works on both.
ALTER TABLE trail_events RENAME TO audit_events;
DROP INDEX trail_events_at;
CREATE INDEX audit_events_at ON audit_events (at);
