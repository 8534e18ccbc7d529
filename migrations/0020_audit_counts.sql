-- +goose Up
-- How many equal events a row represents: events that anyone can cause at will are written once a minute, with a count.
ALTER TABLE audit_events ADD COLUMN times BIGINT NOT NULL DEFAULT 1;
