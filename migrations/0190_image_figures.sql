-- +goose Up
-- What is stored of images, as it was counted last where that takes longer than a request may: see package admin.
CREATE TABLE image_figures (
	id         INTEGER PRIMARY KEY CHECK (id = 1),
	figures    TEXT NOT NULL,
	counted_at BIGINT NOT NULL
);
