-- +goose Up
-- The watches of an account, worst first: see pkg/watches/list.go, which has the same expression.
CREATE INDEX watches_worst ON watches
	(owner_id, kind, (CASE WHEN error <> '' THEN -1 WHEN letter = '' THEN 101 ELSE score END), url, id)
	WHERE gone_at IS NULL AND sitemap_id IS NULL;
