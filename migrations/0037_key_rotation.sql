-- +goose Up
-- When the key last got a new secret; null: never.
ALTER TABLE api_keys ADD COLUMN rotated_at BIGINT;
