-- +goose Up
-- One ledger for the files of images and reports: see package files. A row is inserted before its file is written and
-- deleted after it; keep_until is until when the file is held, and null once something refers to it.
ALTER TABLE files ADD COLUMN kind TEXT NOT NULL DEFAULT 'image';
ALTER TABLE files RENAME COLUMN doomed_until TO deleting_until;
ALTER TABLE files DROP COLUMN life;

INSERT INTO files (digest, name, kind, keep_until)
	SELECT digest, name, 'report', CASE WHEN audit_id IS NULL THEN free_at END FROM audit_files;
CREATE TABLE report_files (
	digest   TEXT NOT NULL,
	name     TEXT NOT NULL,
	size     BIGINT NOT NULL,
	audit_id TEXT NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
	PRIMARY KEY (digest, name),
	FOREIGN KEY (digest, name) REFERENCES files (digest, name)
);
INSERT INTO report_files (digest, name, size, audit_id)
	SELECT digest, name, size, audit_id FROM audit_files WHERE audit_id IS NOT NULL;
DROP TABLE audit_files;
ALTER TABLE report_files RENAME TO audit_files;
CREATE INDEX audit_files_audit ON audit_files (audit_id);
-- +goose StatementBegin
CREATE TRIGGER audit_files_deleted AFTER DELETE ON audit_files
BEGIN
	UPDATE files SET keep_until = COALESCE(keep_until, 0) WHERE digest = OLD.digest AND name = OLD.name;
END;
-- +goose StatementEnd
