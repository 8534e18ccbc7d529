-- +goose Up
-- The ledger of AI pictures. A month's row counts the units that are reserved or used; each unit has its own row, and
-- no job has two in a month.
CREATE TABLE usage_months (
	owner_id  TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	month     TEXT NOT NULL, -- such as 2026-11, in UTC
	units     BIGINT NOT NULL, -- reserved or used
	pro_units BIGINT NOT NULL, -- those of the pro model
	PRIMARY KEY (owner_id, month)
);

CREATE TABLE usage_units (
	owner_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	month       TEXT NOT NULL, -- of the reservation
	job         TEXT NOT NULL,
	pro         BOOLEAN NOT NULL,
	kind        TEXT NOT NULL, -- of the image; '' until it is used
	state       TEXT NOT NULL CHECK (state IN ('reserved', 'kept', 'released')),
	reserved_at BIGINT NOT NULL,
	expires_at  BIGINT NOT NULL, -- a unit that is still only reserved then is released
	PRIMARY KEY (owner_id, month, job)
);
CREATE INDEX usage_units_job ON usage_units (owner_id, job);
CREATE INDEX usage_units_expires ON usage_units (expires_at) WHERE state = 'reserved';
