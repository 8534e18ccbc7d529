-- +goose Up
-- Who signs in to which account with an OpenID Connect provider.
CREATE TABLE identities (
	issuer       TEXT NOT NULL,
	subject      TEXT NOT NULL, -- the provider's ID of the person
	user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	created_at   BIGINT NOT NULL,
	last_used_at BIGINT NOT NULL,
	PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_user ON identities (user_id);
