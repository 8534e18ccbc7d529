-- +goose Up
-- Traffic that no plan meters, by account and day, for users to see.
CREATE TABLE usage_traffic (
	owner_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	day           TEXT NOT NULL, -- such as 2026-11-21, in UTC
	kind          TEXT NOT NULL, -- of the image
	drawn         BIGINT NOT NULL,
	generate_hits BIGINT NOT NULL, -- existing images that POST /images/generate returned
	public_hits   BIGINT NOT NULL, -- responses of /og
	PRIMARY KEY (owner_id, day, kind)
);
