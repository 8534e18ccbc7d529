-- +goose Up
-- When a row is deleted, in milliseconds, unless that is taken back; null for all that stay: see pkg/undo. A watch that
-- is marked has gone_at, too.
ALTER TABLE audits ADD COLUMN deleting_at BIGINT;
ALTER TABLE webhooks ADD COLUMN deleting_at BIGINT;
ALTER TABLE watches ADD COLUMN deleting_at BIGINT;

CREATE INDEX images_deleting ON images (deleting_at) WHERE deleting_at IS NOT NULL;
CREATE INDEX audits_deleting ON audits (deleting_at) WHERE deleting_at IS NOT NULL;
CREATE INDEX webhooks_deleting ON webhooks (deleting_at) WHERE deleting_at IS NOT NULL;
CREATE INDEX watches_deleting ON watches (deleting_at) WHERE deleting_at IS NOT NULL;
