-- +goose Up
-- Whether an admin is the last one is asked at each deletion of an account; of images, which AI pictures were asked for
-- and not drawn lately is asked for the figures of an installation; old sessions are looked for all the time. None of
-- these reads a whole table.
CREATE INDEX users_admins ON users (id) WHERE role = 'admin';
CREATE INDEX images_with_ai ON images (created_at) WHERE ai <> 'null';
CREATE INDEX sessions_created ON sessions (created_at);
