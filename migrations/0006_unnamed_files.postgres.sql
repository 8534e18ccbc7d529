-- +goose Up
-- Once an image is deleted, however that happens, its file is left to the sweep. A file that is just being stored for
-- another image stays as long as that takes.
-- +goose StatementBegin
CREATE FUNCTION image_files_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE files SET keep_until = COALESCE(keep_until, 0) WHERE digest = OLD.digest AND name = OLD.name;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER image_files_deleted AFTER DELETE ON image_files FOR EACH ROW EXECUTE FUNCTION image_files_deleted();
