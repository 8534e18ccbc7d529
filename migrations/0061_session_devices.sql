-- +goose Up
-- Where sessions were opened, for their owners to recognize them; '' for those from before.
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT ''; -- our words, such as Firefox on Windows
ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT ''; -- of the network
