-- +goose Up
-- The snippet that the account used last, such as astro; '' for none.
ALTER TABLE users ADD COLUMN snippet TEXT NOT NULL DEFAULT '';
