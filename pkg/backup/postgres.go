package backup

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"masthead/pkg/db"
	"masthead/pkg/files"
)

// untouched are tables of Postgres that aren't copied: the migrator's own, and changes for the memory of running nodes,
// which name transactions of this server.
var untouched = append([]string{"goose_db_version", "image_changes"}, transient...)

// stageSchema is the schema that a database is restored in, before it replaces the old one.
const stageSchema = "masthead_restore"

// restoreLock is the key of the advisory lock of a restore: the first bytes of "masthead".
const restoreLock = 0x6d617374

// postgresSnapshot is a transaction that sees the database at one moment. It implements [snapshot].
type postgresSnapshot struct {
	pool *sql.DB
	tx   *sql.Tx
}

func openPostgres(ctx context.Context, cfg db.Config) (*postgresSnapshot, error) {
	pool, err := cfg.OpenRaw("")
	if err != nil {
		return nil, err
	}
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin to copy the database: %w", err), pool.Close())
	}
	return &postgresSnapshot{pool, tx}, nil
}

func (p *postgresSnapshot) dialect() db.Dialect { return db.Postgres }

func (p *postgresSnapshot) close() error {
	err := p.tx.Rollback()
	if errors.Is(err, sql.ErrTxDone) { // its context ended
		err = nil
	}
	return errors.Join(err, p.pool.Close())
}

func (p *postgresSnapshot) describe(ctx context.Context, m *Manifest) error {
	return describe(ctx, p.tx, m)
}

func (p *postgresSnapshot) eachFile(ctx context.Context, do func(ledgerFile) error) error {
	return eachFile(ctx, p.tx, do)
}

// dump writes each table as JSON objects, one a line, in parts.
func (p *postgresSnapshot) dump(ctx context.Context, a *writer, told func()) error {
	tables, err := tablesOf(ctx, p.tx, "current_schema()")
	if err != nil {
		return err
	}
	for _, table := range tables {
		if slices.Contains(untouched, table) {
			continue
		}
		if err := p.dumpTable(ctx, a, table, told); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return nil
}

func (p *postgresSnapshot) dumpTable(ctx context.Context, a *writer, table string, told func()) (err error) {
	rows, err := p.tx.QueryContext(ctx,
		`SELECT row_to_json(t)::text FROM `+pq.QuoteIdentifier(table)+` AS t`) //nolint:gosec // quoted
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var part bytes.Buffer
	parts := 0
	flush := func() error {
		if part.Len() > maxFile {
			return fmt.Errorf("a row has more than %d bytes", maxFile)
		}
		name := fmt.Sprintf("%s%s/%08d.jsonl", tablesFolder, table, parts)
		parts++
		err := a.bytes(name, part.Bytes())
		part.Reset()
		told()
		return err
	}
	for rows.Next() {
		var row sql.RawBytes
		if err := rows.Scan(&row); err != nil {
			return err
		}
		if part.Len() > 0 && part.Len()+len(row) > partSize {
			if err := flush(); err != nil {
				return err
			}
		}
		part.Write(row)
		part.WriteByte('\n')
	}
	if err := rows.Err(); err != nil || part.Len() == 0 {
		return err
	}
	return flush()
}

// tablesOf returns the tables of a schema, which is an SQL expression.
func tablesOf(ctx context.Context, q querier, schema string) ([]string, error) {
	return list(ctx, q, `SELECT tablename FROM pg_tables WHERE schemaname = `+schema+` ORDER BY tablename`)
}

// list returns the only column of a query.
func list(ctx context.Context, q querier, query string, args ...any) (values []string, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

// postgresTarget replaces the tables of a Postgres schema. It implements [target].
type postgresTarget struct {
	cfg    db.Config
	home   *sql.DB
	lock   *sql.Conn // holds the advisory lock
	stage  *sql.DB   // finds and creates tables in the stage
	schema string    // the home, quoted
	tables []string  // that may be restored
	// foreign are statements that add the foreign keys of the stage.
	foreign []string
}

func (cfg Config) openPostgresTarget(ctx context.Context) (t *postgresTarget, err error) {
	if err := db.Reach(ctx, cfg.Database); err != nil {
		return nil, err
	}
	t = &postgresTarget{cfg: cfg.Database}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close())
		}
	}()
	if t.home, err = cfg.Database.OpenRaw(""); err != nil {
		return t, err
	}
	if t.stage, err = cfg.Database.OpenRaw(stageSchema); err != nil {
		return t, err
	}
	if t.lock, err = t.home.Conn(ctx); err != nil {
		return t, fmt.Errorf("MASTHEAD_DATABASE_URL: %w", err)
	}
	var locked bool
	var schema sql.NullString
	err = t.lock.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1), current_schema()`, restoreLock).
		Scan(&locked, &schema)
	switch {
	case err != nil:
		return t, fmt.Errorf("prepare the restore: %w", err)
	case !locked:
		return t, errors.New("another restore to this database is running")
	case !schema.Valid:
		return t, errors.New("MASTHEAD_DATABASE_URL: the database has no schema to restore to: create the one that its " +
			"search_path names")
	}
	t.schema = pq.QuoteIdentifier(schema.String)
	return t, t.refuseRunning(ctx, t.lock)
}

func (t *postgresTarget) dialect() db.Dialect { return db.Postgres }

func (t *postgresTarget) close() (err error) {
	if t.stage != nil {
		if t.schema != "" {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			_, err = t.home.ExecContext(ctx, `DROP SCHEMA IF EXISTS `+stageSchema+` CASCADE`)
		}
		err = errors.Join(err, t.stage.Close())
	}
	if t.lock != nil {
		err = errors.Join(err, t.lock.Close())
	}
	if t.home != nil {
		err = errors.Join(err, t.home.Close())
	}
	return err
}

// has reports whether a table exists in the home.
func (t *postgresTarget) has(ctx context.Context, q querier, table string) (bool, error) {
	found, err := list(ctx, q, `SELECT tablename FROM pg_tables
		WHERE schemaname = current_schema() AND tablename = $1`, table)
	return len(found) > 0, err
}

// refuseRunning returns an error while a node serves from the database. Nodes say every minute that they are alive.
func (t *postgresTarget) refuseRunning(ctx context.Context, q querier) error {
	if has, err := t.has(ctx, q, "nodes"); err != nil || !has {
		return err
	}
	var seen int64
	err := q.QueryRowContext(ctx, `SELECT COALESCE(MAX(seen_at), 0) FROM nodes`).Scan(&seen)
	if err != nil {
		return fmt.Errorf("look for running nodes: %w", err)
	}
	free := time.UnixMilli(seen).Add(files.KilledAfter)
	if time.Now().Before(free) {
		return fmt.Errorf("a node is serving from this database: stop it. If it was killed, the restore is possible from "+
			"%s on", free.UTC().Format("15:04:05 MST"))
	}
	return nil
}

func (t *postgresTarget) current(ctx context.Context) (id string, exists bool, err error) {
	if exists, err = t.has(ctx, t.lock, "goose_db_version"); err != nil || !exists {
		return "", exists, err
	}
	if has, err := t.has(ctx, t.lock, "installation"); err != nil || !has {
		return "", true, err
	}
	id, err = installationOf(ctx, t.lock)
	return id, true, err
}

// begin creates the tables in the stage, without foreign keys, so that rows can be stored in any order.
func (t *postgresTarget) begin(ctx context.Context, m Manifest) error {
	for _, statement := range []string{
		`DROP SCHEMA IF EXISTS ` + stageSchema + ` CASCADE`, `CREATE SCHEMA ` + stageSchema,
	} {
		if _, err := t.home.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("prepare the restore: %w", err)
		}
	}
	if err := t.cfg.Apply(ctx, stageSchema, m.Schema); err != nil {
		return err
	}
	tables, err := tablesOf(ctx, t.stage, "current_schema()")
	if err != nil {
		return fmt.Errorf("read the tables: %w", err)
	}
	for _, table := range tables {
		if table == "goose_db_version" {
			continue
		}
		if _, err := t.stage.ExecContext(ctx, `TRUNCATE `+pq.QuoteIdentifier(table)+` CASCADE`); err != nil {
			return fmt.Errorf("prepare the restore: %w", err)
		}
		if !slices.Contains(untouched, table) {
			t.tables = append(t.tables, table)
		}
	}
	const keys = ` FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY oid`
	if t.foreign, err = list(ctx, t.stage, `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass,
		conname, pg_get_constraintdef(oid))`+keys); err != nil {
		return fmt.Errorf("read the foreign keys: %w", err)
	}
	drops, err := list(ctx, t.stage,
		`SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)`+keys)
	if err != nil {
		return fmt.Errorf("read the foreign keys: %w", err)
	}
	return t.inStage(ctx, drops)
}

func (t *postgresTarget) inStage(ctx context.Context, statements []string) error {
	for _, statement := range statements {
		if _, err := t.stage.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// take stores the rows of a part.
func (t *postgresTarget) take(ctx context.Context, e *entry) error {
	if !slices.Contains(t.tables, e.table) {
		return damaged("its schema has no table %q", e.table)
	}
	lines, err := e.whole()
	if err != nil {
		return err
	}
	rows := "[" + string(bytes.ReplaceAll(bytes.TrimSuffix(lines, []byte("\n")), []byte("\n"), []byte(","))) + "]"
	table := pq.QuoteIdentifier(e.table)
	_, err = t.stage.ExecContext(ctx,
		`INSERT INTO `+table+` SELECT * FROM json_populate_recordset(NULL::`+table+`, $1::json)`, //nolint:gosec // quoted
		rows)
	if fault := (*pq.Error)(nil); errors.As(err, &fault) && (fault.Code.Class() == "22" || fault.Code.Class() == "23") {
		return damaged("%s: %v", e.name, err) // data exception, integrity constraint violation
	}
	return err
}

func (t *postgresTarget) finish(ctx context.Context, m Manifest, id string) error {
	if err := t.inStage(ctx, t.foreign); err != nil {
		return damaged("rows are missing: %v", err)
	}
	if id != m.Installation {
		if _, err := t.stage.ExecContext(ctx, `UPDATE installation SET id = $1`, id); err != nil {
			return fmt.Errorf("store the id of the installation: %w", err)
		}
	}
	return nil
}

// commit moves the tables from the stage in place of the old ones, in one transaction.
func (t *postgresTarget) commit(ctx context.Context) error {
	tx, err := t.home.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // committed or failed by then
	if err := t.refuseRunning(ctx, tx); err != nil {
		return err
	}
	statements := []string{`SET LOCAL lock_timeout = '10s'`}
	// Functions of extensions, such as pg_stat_statements, stay.
	const functions = ` FROM pg_proc p WHERE pronamespace = %s::regnamespace AND NOT EXISTS (
		SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`
	if _, exists, err := t.current(ctx); err != nil {
		return err
	} else if exists {
		for _, query := range []string{
			`SELECT format('DROP TABLE IF EXISTS %I.%I CASCADE', schemaname, tablename) FROM pg_tables
				WHERE schemaname = current_schema()`,
			`SELECT format('DROP FUNCTION %s CASCADE', p.oid::regprocedure)` + fmt.Sprintf(functions, "current_schema()"),
		} {
			drops, err := list(ctx, tx, query)
			if err != nil {
				return err
			}
			statements = append(statements, drops...)
		}
	}
	for _, query := range []string{
		`SELECT format('ALTER TABLE %I.%I SET SCHEMA ', schemaname, tablename) FROM pg_tables
			WHERE schemaname = '` + stageSchema + `'`,
		`SELECT format('ALTER FUNCTION %s SET SCHEMA ', p.oid::regprocedure)` +
			fmt.Sprintf(functions, "'"+stageSchema+"'"),
	} {
		moves, err := list(ctx, tx, query)
		if err != nil {
			return err
		}
		for _, move := range moves {
			statements = append(statements, move+t.schema)
		}
	}
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return tx.Commit()
}
