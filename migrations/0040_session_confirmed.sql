-- +goose Up
-- When the session's password was last given after the session began; null: never.
ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT;
