-- +goose Up
-- When the user last entered the password again during the session; null: never.
ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT;
