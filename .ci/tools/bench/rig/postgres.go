package rig

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
)

// Postgres is a cluster of our own.
type Postgres struct {
	// URL is its address.
	URL string

	dir, bin string
	as       *syscall.SysProcAttr
	port     int
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
	initdb, err := filepath.EvalSymlinks(slices.Max(found)) // the other programs are beside it, which links may not be
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	p := &Postgres{dir: dir, bin: filepath.Dir(initdb)}
	if os.Getuid() == 0 { // it does not run as root
		if p.as, err = become("postgres", dir); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	port, err := freePort()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	p.at(port)
	err = p.run(ctx, "initdb", "-D", p.data(), "-A", "trust", "-U", "postgres")
	if err == nil {
		err = p.start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return p, nil
}

func (p *Postgres) at(port int) {
	p.port = port
	p.URL = fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port)
}

func (p *Postgres) data() string { return filepath.Join(p.dir, "data") }

func (p *Postgres) start(ctx context.Context) error {
	options := fmt.Sprintf("-p %d -k %s -c fsync=off -c max_connections=200 -c listen_addresses=127.0.0.1", p.port, p.dir)
	return p.run(ctx, "pg_ctl", "-D", p.data(), "-w", "-l", filepath.Join(p.dir, "log"), "-o", options, "start")
}

// Standby starts a copy of the cluster that follows it. From then on a commit waits until the standby has it.
func (p *Postgres) Standby(ctx context.Context) (*Postgres, error) {
	dir, err := os.MkdirTemp("", "masthead-postgres-")
	if err != nil {
		return nil, err
	}
	s := &Postgres{dir: dir, bin: p.bin}
	if os.Getuid() == 0 {
		s.as, err = become("postgres", dir)
	}
	port, errPort := freePort()
	if err = errors.Join(err, errPort); err == nil {
		s.at(port)
		err = s.run(ctx, "pg_basebackup", "-D", s.data(), "-R", "-c", "fast", "-h", "127.0.0.1", "-p", fmt.Sprint(p.port),
			"-U", "postgres")
	}
	if err == nil {
		err = s.start(ctx)
	}
	if err == nil {
		err = execute(ctx, p.URL, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

// Promote makes a standby the primary. Its own commits wait for nobody.
func (p *Postgres) Promote(ctx context.Context) error {
	if err := p.run(ctx, "pg_ctl", "-D", p.data(), "-w", "promote"); err != nil {
		return err
	}
	return execute(ctx, p.URL, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
}

// Crash ends the cluster as a power cut does; Close deletes it.
func (p *Postgres) Crash(ctx context.Context) error {
	return p.run(ctx, "pg_ctl", "-D", p.data(), "-m", "immediate", "stop")
}

// Close ends the cluster and deletes it.
func (p *Postgres) Close() error {
	err := p.Crash(context.Background())
	if err != nil && !isFile(filepath.Join(p.data(), "postmaster.pid")) { // it crashed before
		err = nil
	}
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

// freePort returns a port of loopback on which nobody listens, below those that the kernel gives to connections and to
// servers without a port of their own (net.ipv4.ip_local_port_range,
// https://docs.kernel.org/networking/ip-sysctl.html): it stays free until it is used.
func freePort() (port int, err error) {
	for range 100 {
		port = 10000 + rand.IntN(22000)
		var listener net.Listener
		if listener, err = net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil { //nolint:noctx // closed at once
			return port, listener.Close()
		}
	}
	return 0, err
}

// FreeAddress returns an address of loopback on which nobody listens, as 127.0.0.1:port.
func FreeAddress() (string, error) {
	port, err := freePort()
	return fmt.Sprint("127.0.0.1:", port), err
}
