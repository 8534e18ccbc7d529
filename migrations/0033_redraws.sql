-- +goose Up
-- An older JPEG encoder damaged blocks of some pictures, so each of its pictures is redrawn after its next use. JSON
-- about the attempts; null for a picture that needs no redraw.
ALTER TABLE images ADD COLUMN redraw TEXT NOT NULL DEFAULT 'null';
UPDATE images SET redraw = '{}' WHERE id IN (SELECT image_id FROM image_files WHERE content_type = 'image/jpeg');

-- The image that a file of that encoder was drawn for, '' if unknown. It is null for all other files.
ALTER TABLE files ADD COLUMN outdated_of TEXT;
UPDATE files SET outdated_of = COALESCE((SELECT MIN(image_id) FROM image_files
	WHERE image_files.digest = files.digest AND image_files.name = files.name), '') WHERE name LIKE '%.jpg';
CREATE INDEX files_outdated ON files (outdated_of, digest) WHERE outdated_of IS NOT NULL;
