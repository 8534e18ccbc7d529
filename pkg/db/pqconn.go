package db

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/lib/pq"
)

// lib/pq tells the server when a context ends, and then still waits for the server's response: a silent server blocks
// it forever. So the limits are deadlines of the network connection: each operation sets the time by which all of it
// must be done. The driver sees no context and starts no goroutine for it; if a caller leaves, the operation continues
// until the same deadline.

const (
	// dialTime is the limit for connecting to Postgres, including the handshake.
	dialTime = 2 * time.Second
	// partingTime is the limit for ending a transaction or a statement.
	partingTime = time.Second
)

// limits are the settings by which Postgres ends what takes too long. Source: PostgreSQL documentation, 20.11 Client
// Connection Defaults.
var limits = map[string]time.Duration{
	"statement_timeout": listTime, "idle_in_transaction_session_timeout": 2 * listTime,
}

// connector opens connections to Postgres whose operations are limited by their contexts.
type connector struct {
	*pq.Connector

	pooled bool // see [Config.Pooled]
}

// newConnector returns the connector of a database. The server, too, cancels statements that take more than listTime
// and idle transactions, since a client may vanish silently: behind a pooler the role must have these limits, because
// they can't be set when a connection begins.
func newConnector(c Config) (*connector, error) {
	cfg, err := pq.NewConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("read the address of Postgres: %w", err)
	}
	if cfg.Runtime == nil {
		cfg.Runtime = map[string]string{}
	}
	cfg.BinaryParameters = cfg.BinaryParameters || c.Pooled()
	for name, most := range limits {
		if cfg.Runtime[name] == "" && !c.Pooled() {
			cfg.Runtime[name] = strconv.FormatInt(most.Milliseconds(), 10)
		}
	}
	inner, err := pq.NewConnectorConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("prepare the connections to Postgres: %w", err)
	}
	inner.Dialer(dialer{})
	return &connector{inner, c.Pooled()}, nil
}

// dialedKey is the key of the context value in which the dialer stores the connection.
type dialedKey struct{}

// dialer dials within dialTime, and sets the deadline until the first operation.
type dialer struct{}

// Dial implements pq.Dialer, which prefers DialContext.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialTimeout(network, address, dialTime)
}

// DialTimeout implements pq.Dialer.
func (d dialer) DialTimeout(network, address string, most time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// DialContext implements pq.DialerContext.
func (dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	c, err := new(net.Dialer).DialContext(ctx, network, address) //nolint:forbidigo // MASTHEAD_DATABASE_URL
	if err != nil {
		return nil, err
	}
	deadline, _ := ctx.Deadline()
	if err := c.SetDeadline(deadline); err != nil {
		return nil, err
	}
	if dialed, ok := ctx.Value(dialedKey{}).(*net.Conn); ok {
		*dialed = c
	}
	return c, nil
}

// Connect implements driver.Connector.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	var dialed net.Conn
	opened, err := c.Connector.Connect(context.WithValue(ctx, dialedKey{}, &dialed))
	if err != nil {
		return nil, err
	}
	inner, ok := opened.(postgresConn)
	if !ok || dialed == nil {
		return nil, fmt.Errorf("the driver's connection is a %T", opened)
	}
	return &boundedConn{postgresConn: inner, network: dialed, pooled: c.pooled}, nil
}

// postgresConn has the methods of the driver's connections.
type postgresConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.QueryerContext
	driver.ExecerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	driver.NamedValueChecker
}

// boundedConn is a connection whose operations end by their context's deadline.
type boundedConn struct {
	postgresConn
	network net.Conn
	pooled  bool
	until   time.Time // the end of the current transaction; zero without one
}

// bound sets the deadline of the next operation, which also reports its failure.
func (c *boundedConn) bound(ctx context.Context) {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(listTime)
	}
	if !c.until.IsZero() && c.until.Before(deadline) {
		deadline = c.until
	}
	_ = c.network.SetDeadline(deadline) // fails on a closed connection, which the next operation reports
}

func (c *boundedConn) part() {
	_ = c.network.SetDeadline(time.Now().Add(partingTime)) // as in bound
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *boundedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if c.pooled {
		return unpreparedStmt{c, query}, nil
	}
	c.bound(ctx)
	s, err := c.postgresConn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	inner, ok := s.(postgresStmt)
	if !ok {
		return nil, fmt.Errorf("the driver's statement is a %T", s)
	}
	return &boundedStmt{inner, c}, nil
}

// QueryContext implements driver.QueryerContext.
func (c *boundedConn) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Rows, error) {
	c.bound(ctx)
	return c.postgresConn.QueryContext(context.Background(), query, args)
}

// ExecContext implements driver.ExecerContext.
func (c *boundedConn) ExecContext(
	ctx context.Context, query string, args []driver.NamedValue,
) (driver.Result, error) {
	c.bound(ctx)
	return c.postgresConn.ExecContext(context.Background(), query, args)
}

// Ping implements driver.Pinger.
func (c *boundedConn) Ping(ctx context.Context) error {
	c.bound(ctx)
	return c.postgresConn.Ping(context.Background())
}

// BeginTx implements driver.ConnBeginTx.
func (c *boundedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	c.bound(ctx)
	tx, err := c.postgresConn.BeginTx(context.Background(), opts)
	if err != nil {
		return nil, err
	}
	c.until, _ = ctx.Deadline()
	return &boundedTx{tx, c}, nil
}

// Close implements driver.Conn.
func (c *boundedConn) Close() error {
	c.part()
	return c.postgresConn.Close()
}

// boundedTx is a transaction that ends by the deadline of the context it began with.
type boundedTx struct {
	driver.Tx
	conn *boundedConn
}

// Commit implements driver.Tx.
func (t *boundedTx) Commit() error {
	t.conn.bound(context.Background())
	t.conn.until = time.Time{}
	return t.Tx.Commit()
}

// Rollback implements driver.Tx.
func (t *boundedTx) Rollback() error {
	t.conn.until = time.Time{}
	t.conn.part()
	return t.Tx.Rollback()
}

// postgresStmt has the methods of the driver's statements.
type postgresStmt interface {
	driver.Stmt
	driver.StmtQueryContext
	driver.StmtExecContext
}

// boundedStmt is a prepared statement of a boundedConn.
type boundedStmt struct {
	postgresStmt
	conn *boundedConn
}

// QueryContext implements driver.StmtQueryContext.
func (s *boundedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	s.conn.bound(ctx)
	return s.postgresStmt.QueryContext(context.Background(), args)
}

// ExecContext implements driver.StmtExecContext.
func (s *boundedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	s.conn.bound(ctx)
	return s.postgresStmt.ExecContext(context.Background(), args)
}

// Close implements driver.Stmt.
func (s *boundedStmt) Close() error {
	s.conn.part()
	return s.postgresStmt.Close()
}
