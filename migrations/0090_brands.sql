-- +goose Up
-- The template of requests without one; '' is the service's default.
ALTER TABLE projects ADD COLUMN brand_template TEXT NOT NULL DEFAULT '';
