-- +goose Up
-- What may be shown at the addresses of a project depends on its domains, so other nodes are told of its changes too.
-- The public ids of projects and images differ in length.
CREATE TRIGGER projects_changed AFTER UPDATE OR DELETE ON projects FOR EACH ROW EXECUTE FUNCTION images_changed();
