-- +goose Up
-- How many equal events one row stands for: what anybody can cause at will is written once a minute, with a count.
ALTER TABLE audit_events ADD COLUMN times BIGINT NOT NULL DEFAULT 1;
