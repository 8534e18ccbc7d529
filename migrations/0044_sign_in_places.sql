-- +goose Up
-- Networks that accounts were signed in to from, to tell their owners of a new one.
CREATE TABLE sign_in_places (
	user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	network TEXT NOT NULL, -- a /24 of IPv4 or a /48 of IPv6
	seen_at BIGINT NOT NULL, -- the latest sign-in
	PRIMARY KEY (user_id, network)
);
CREATE INDEX sign_in_places_seen ON sign_in_places (seen_at);
