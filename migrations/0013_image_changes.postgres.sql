-- +goose Up
-- Changes of images, for the other nodes, which cache some of them in memory: every change or deletion of an image
-- leaves a row here for an hour. SQLite has no other nodes.
CREATE TABLE image_changes (
	seq       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	public_id TEXT NOT NULL,
	-- The transaction, since transactions don't commit in the order of seq.
	xid       XID8 NOT NULL DEFAULT pg_current_xact_id(),
	at        TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX image_changes_xid ON image_changes (xid);
CREATE INDEX image_changes_at ON image_changes (at);

-- +goose StatementBegin
CREATE FUNCTION images_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO image_changes (public_id) VALUES (OLD.public_id);
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER images_changed AFTER UPDATE OR DELETE ON images FOR EACH ROW EXECUTE FUNCTION images_changed();
