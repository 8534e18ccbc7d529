-- +goose Up
-- What the installation has spent at its AI provider in a month, by the prices of its settings.
CREATE TABLE ai_spending (
	month TEXT PRIMARY KEY, -- such as 2026-11, in UTC
	cents BIGINT NOT NULL
);
