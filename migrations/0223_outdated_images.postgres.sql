-- +goose NO TRANSACTION
-- +goose Up
-- The images that are still to be redrawn. With ten million images this takes many seconds, in which nodes that still
-- run read and write them. What an interrupted start left behind is dropped first.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS images_outdated;
CREATE INDEX CONCURRENTLY images_outdated ON images (project_id) WHERE redraw <> 'null';
RESET lock_timeout;
