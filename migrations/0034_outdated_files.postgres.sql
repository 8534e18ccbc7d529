-- +goose Up
-- A replaced outdated file stays for a month, but not longer than its image: then the sweep deletes it.
-- +goose StatementBegin
CREATE FUNCTION images_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE files SET keep_until = 0 WHERE outdated_of = OLD.id AND keep_until IS NOT NULL;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER images_deleted AFTER DELETE ON images FOR EACH ROW EXECUTE FUNCTION images_deleted();
