-- +goose Up
-- What package eviction deletes by: the pictures that GET /og drew, which nobody paid for and nobody asked for by POST.
CREATE TABLE variants (
	image_id   TEXT PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
	owner_id   TEXT NOT NULL,
	project_id TEXT NOT NULL,
	bytes      BIGINT NOT NULL,  -- of its files
	newest     BOOLEAN NOT NULL, -- false for one that another picture of the same page came after
	served_at  BIGINT NOT NULL   -- in milliseconds; written once an hour at most
);
CREATE INDEX variants_installation ON variants (newest, served_at);
CREATE INDEX variants_owner ON variants (owner_id, newest, served_at);
CREATE INDEX variants_project ON variants (project_id, newest, served_at);

-- The bytes of all variants, of each account's and of each project's: what the changes add up to, which are added by
-- one node at a time, so that nobody who draws waits for a common row.
CREATE TABLE variant_totals (
	budget TEXT NOT NULL CHECK (budget IN ('installation', 'account', 'project')),
	id     TEXT NOT NULL, -- of the account or project; '' for the installation
	bytes  BIGINT NOT NULL,
	PRIMARY KEY (budget, id)
);
CREATE INDEX variant_totals_bytes ON variant_totals (budget, bytes);
CREATE TABLE variant_changes (
	seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	owner_id   TEXT NOT NULL,
	project_id TEXT NOT NULL,
	bytes      BIGINT NOT NULL
);
-- +goose StatementBegin
CREATE FUNCTION variants_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		INSERT INTO variant_changes (owner_id, project_id, bytes) VALUES (OLD.owner_id, OLD.project_id, -OLD.bytes);
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO variant_changes (owner_id, project_id, bytes) VALUES (NEW.owner_id, NEW.project_id, NEW.bytes);
	END IF;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER variants_changed AFTER INSERT OR DELETE OR UPDATE OF bytes ON variants
	FOR EACH ROW EXECUTE FUNCTION variants_changed();

INSERT INTO variants (image_id, owner_id, project_id, bytes, newest, served_at)
SELECT i.id, i.owner_id, i.project_id, SUM(f.size_bytes),
	NOT EXISTS (SELECT 1 FROM images AS later WHERE later.project_id = i.project_id AND later.url = i.url AND later.variant
		AND (later.updated_at, later.id) > (i.updated_at, i.id)), i.updated_at
FROM images AS i JOIN image_files AS f ON f.image_id = i.id WHERE i.variant AND i.ai = 'null' GROUP BY i.id;
