-- +goose Up
-- Units of pictures that strangers have asked for, of which there may be fewer.
ALTER TABLE usage_units ADD COLUMN public BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX usage_units_public ON usage_units (owner_id, month) WHERE public;
