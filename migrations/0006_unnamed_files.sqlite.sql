-- +goose Up
-- A file that an image named is for the sweep once the image is gone, whoever deleted it; one that is just being kept
-- for another image stays as long as that takes.
-- +goose StatementBegin
CREATE TRIGGER image_files_deleted AFTER DELETE ON image_files
BEGIN
	UPDATE files SET keep_until = COALESCE(keep_until, 0) WHERE digest = OLD.digest AND name = OLD.name;
END;
-- +goose StatementEnd
