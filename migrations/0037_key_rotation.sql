-- +goose Up
-- When the key was last given a new secret; null: never.
ALTER TABLE api_keys ADD COLUMN rotated_at BIGINT;
