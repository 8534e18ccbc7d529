-- +goose Up
-- An outdated file that was replaced stays for a month, but not longer than its image: the sweep deletes it then.
-- +goose StatementBegin
CREATE TRIGGER images_deleted AFTER DELETE ON images
BEGIN
	UPDATE files SET keep_until = 0 WHERE outdated_of = OLD.id AND keep_until IS NOT NULL;
END;
-- +goose StatementEnd
