-- +goose Up
-- Sitemaps whose pages are watched, each as a row of its own.
ALTER TABLE watches ADD COLUMN kind TEXT NOT NULL DEFAULT 'page' CHECK (kind IN ('page', 'sitemap'));
-- The sitemap that a page comes from; NULL for one that is watched by itself.
ALTER TABLE watches ADD COLUMN sitemap_id TEXT REFERENCES watches (id) ON DELETE CASCADE;
-- When the sitemap no longer listed the page, which isn't watched since; NULL while it does.
ALTER TABLE watches ADD COLUMN gone_at BIGINT;
-- Of a sitemap: how many pages it lists, 0 before it was read, and what was left out, as sentences.
ALTER TABLE watches ADD COLUMN listed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE watches ADD COLUMN note TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX watches_sitemap ON watches (sitemap_id, url) WHERE sitemap_id IS NOT NULL;
CREATE INDEX watches_gone ON watches (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX watches_counted ON watches (owner_id, kind, id) WHERE gone_at IS NULL;
