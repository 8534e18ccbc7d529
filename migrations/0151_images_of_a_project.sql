-- +goose Up
-- Lists of an owner's images of one project, in the order of their creation: with the index of either alone, Postgres
-- reads and sorts all of them, since it can't know that all images of a project are the same owner's.
CREATE INDEX images_owner_project ON images (owner_id, project_id, id);
