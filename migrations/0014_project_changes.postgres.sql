-- +goose Up
-- What a project's addresses may show depends on its domains, so other nodes are notified of its changes, too. The
-- public IDs of projects and images differ in length.
CREATE TRIGGER projects_changed AFTER UPDATE OR DELETE ON projects FOR EACH ROW EXECUTE FUNCTION images_changed();
