-- +goose Up
-- A replaced outdated file stays for a month, but not longer than its image: then the sweep deletes it.
-- +goose StatementBegin
CREATE TRIGGER images_deleted AFTER DELETE ON images
BEGIN
	UPDATE files SET keep_until = 0 WHERE outdated_of = OLD.id AND keep_until IS NOT NULL;
END;
-- +goose StatementEnd
