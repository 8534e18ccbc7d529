-- +goose Up
-- When an image is deleted, in milliseconds; null for all that stay. Until then its cache_key is another one, so that it
-- isn't found as the image of a request.
ALTER TABLE images ADD COLUMN deleting_at BIGINT;
