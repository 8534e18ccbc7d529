-- +goose Up
-- The images that are still to be redrawn.
CREATE INDEX images_outdated ON images (project_id) WHERE redraw <> 'null';
