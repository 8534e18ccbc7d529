package rig

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// Postgres is a cluster of our own.
type Postgres struct {
	// URL is its address.
	URL string

	dir, bin string
	as       *syscall.SysProcAttr
}

// NewPostgres makes a cluster in a new folder and starts it on a free port; nothing that runs already is touched.
func NewPostgres(ctx context.Context) (*Postgres, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is well formed
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return nil, errors.New("Postgres is not installed (initdb is missing)")
	}
	dir, err := os.MkdirTemp("", "masthead-postgres-")
	if err != nil {
		return nil, err
	}
	p := &Postgres{dir: dir, bin: filepath.Dir(slices.Max(found))}
	if os.Getuid() == 0 { // it does not run as root
		if p.as, err = become("postgres", dir); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	port, err := freePort()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	data := filepath.Join(dir, "data")
	options := fmt.Sprintf("-p %d -k %s -c fsync=off -c max_connections=200 -c listen_addresses=127.0.0.1", port, dir)
	err = p.run(ctx, "initdb", "-D", data, "-A", "trust", "-U", "postgres")
	if err == nil {
		err = p.run(ctx, "pg_ctl", "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o", options, "start")
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	p.URL = fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port)
	return p, nil
}

// Close ends the cluster and deletes it.
func (p *Postgres) Close() error {
	err := p.run(context.Background(), "pg_ctl", "-D", filepath.Join(p.dir, "data"), "-m", "immediate", "stop")
	return errors.Join(err, os.RemoveAll(p.dir))
}

func (p *Postgres) run(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, name), args...) //nolint:gosec // found above
	cmd.Dir, cmd.SysProcAttr = p.dir, p.as
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// freePort returns a port of loopback that nobody listened on a moment ago.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		return 0, err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return 0, err
	}
	number, err := strconv.Atoi(port)
	return number, errors.Join(err, listener.Close())
}
