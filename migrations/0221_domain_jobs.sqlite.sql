-- +goose Up
-- The projects that are there are checked for the first time within a day, spread over it.
INSERT INTO jobs (id, kind, key, payload, attempts, due_at, holder, owner, trace, turn)
SELECT id, 'domains', id, 'null', 0,
	CAST(strftime('%s', 'now') AS BIGINT) * 1000
		+ CAST((ROW_NUMBER() OVER (ORDER BY id) - 1) * 86400000 / COUNT(*) OVER () AS BIGINT), '', owner_id, '', 0
FROM projects WHERE domains <> '[]';
