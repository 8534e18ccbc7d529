-- +goose Up
-- Units of pictures requested by anonymous callers, who have a lower quota.
ALTER TABLE usage_units ADD COLUMN public BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX usage_units_public ON usage_units (owner_id, month) WHERE public;
