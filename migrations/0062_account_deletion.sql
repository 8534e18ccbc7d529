-- +goose Up
-- When the owner deleted the account, which is disabled from then on. For 14 days signing in restores it; then its rows
-- are deleted. NULL for all others.
ALTER TABLE users ADD COLUMN deleting_at BIGINT;
CREATE INDEX users_deleting ON users (deleting_at) WHERE deleting_at IS NOT NULL;
