-- +goose Up
-- The AI pictures of images, which other images of the project can have too.
CREATE TABLE image_backgrounds (
	image_id TEXT PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
	digest   TEXT NOT NULL,
	name     TEXT NOT NULL,
	size     BIGINT NOT NULL,
	FOREIGN KEY (digest, name) REFERENCES files (digest, name)
);
CREATE INDEX image_backgrounds_file ON image_backgrounds (digest, name);
-- +goose StatementBegin
CREATE TRIGGER image_backgrounds_deleted AFTER DELETE ON image_backgrounds
BEGIN
	UPDATE files SET keep_until = COALESCE(keep_until, 0) WHERE digest = OLD.digest AND name = OLD.name;
END;
-- +goose StatementEnd
