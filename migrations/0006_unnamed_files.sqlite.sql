-- +goose Up
-- Once an image is deleted, however that happens, its file is left to the sweep. A file that is just being stored for
-- another image stays as long as that takes.
-- +goose StatementBegin
CREATE TRIGGER image_files_deleted AFTER DELETE ON image_files
BEGIN
	UPDATE files SET keep_until = COALESCE(keep_until, 0) WHERE digest = OLD.digest AND name = OLD.name;
END;
-- +goose StatementEnd
