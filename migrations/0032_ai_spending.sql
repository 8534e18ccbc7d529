-- +goose Up
-- The installation's spending at its AI provider in a month, by the configured prices.
CREATE TABLE ai_spending (
	month TEXT PRIMARY KEY, -- such as 2026-11, in UTC
	cents BIGINT NOT NULL
);
