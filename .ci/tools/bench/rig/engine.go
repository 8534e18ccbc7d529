package rig

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Engine is a server that a fleet shares, such as Redis, as a process of our own on loopback.
type Engine struct {
	// Address is where it listens: host:port.
	Address string

	path string
	args []string
	env  []string
	cmd  *exec.Cmd
	log  output
	dir  string
}

// engineTime bounds the time until an engine takes connections.
const engineTime = 20 * time.Second

// MissingError names a program that isn't installed.
type MissingError string

func (m MissingError) Error() string { return string(m) + " is not installed" }

// StartEngine starts a program that listens on a free port of loopback; args makes its arguments from the folder that
// it may write to and the port.
func StartEngine(
	ctx context.Context, name string, env []string, args func(dir string, port int) ([]string, error),
) (e *Engine, err error) {
	path, err := exec.LookPath(name)
	if err != nil {
		if path = filepath.Join("/usr/sbin", name); !isFile(path) {
			return nil, MissingError(name)
		}
	}
	e = &Engine{path: path, env: append(os.Environ(), env...)}
	if e.dir, err = os.MkdirTemp("", "masthead-engine-"); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err == nil {
		e.Address = fmt.Sprint("127.0.0.1:", port)
		e.args, err = args(e.dir, port)
	}
	if err == nil {
		err = e.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Start starts an engine that was killed, with the files that it had, and waits until it takes connections.
func (e *Engine) Start(ctx context.Context) error {
	e.cmd = exec.CommandContext(ctx, e.path, e.args...) //nolint:gosec // named by us
	e.cmd.Dir, e.cmd.Env, e.cmd.Stdout, e.cmd.Stderr = e.dir, e.env, &e.log, &e.log
	if err := e.cmd.Start(); err != nil {
		return err
	}
	for deadline := time.Now().Add(engineTime); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", e.Address) //nolint:noctx // loopback
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not listen: %w\n%s", filepath.Base(e.path), err, e.log.String())
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Kill ends the engine at once. What it wrote stays.
func (e *Engine) Kill() error {
	if e.cmd == nil || e.cmd.Process == nil {
		return nil
	}
	err := e.cmd.Process.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	_ = e.cmd.Wait() // it was killed
	return err
}

// Close kills the engine and deletes what it wrote.
func (e *Engine) Close() error { return errors.Join(e.Kill(), os.RemoveAll(e.dir)) }

// NewRedis starts a Redis that keeps nothing on disk.
func NewRedis(ctx context.Context) (*Engine, error) {
	return StartEngine(ctx, "redis-server", nil, func(_ string, port int) ([]string, error) {
		return []string{"--port", fmt.Sprint(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"}, nil
	})
}

// Configure changes a setting of a running Redis.
func (e *Engine) Configure(ctx context.Context, name, value string) (err error) {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", e.Address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := fmt.Fprintf(conn, "CONFIG SET %s %s\r\n", name, value); err != nil {
		return err
	}
	answer := make([]byte, 64)
	n, err := conn.Read(answer)
	if err == nil && !strings.HasPrefix(string(answer[:n]), "+OK") {
		err = fmt.Errorf("redis said %q to CONFIG SET %s", answer[:n], name)
	}
	return err
}

// AIModel is the model of [Program.FakeAI] for pictures.
const AIModel = "fake-standard"

// FakeAI starts the program's own stand-in for an AI provider.
func (p *Program) FakeAI(ctx context.Context) (*Engine, error) {
	return StartEngine(ctx, p.path, nil, func(_ string, port int) ([]string, error) {
		return []string{"fake-ai", "--addr", fmt.Sprint("127.0.0.1:", port), "--delay", "300ms"}, nil
	})
}

// Keys of the S3 server, and the name of its bucket.
const (
	S3AccessKey = "masthead"
	S3SecretKey = "masthead-secret"
	S3Bucket    = "cards"
)

// NewS3 starts versitygw, which the file path is, with a bucket in a new folder.
func NewS3(ctx context.Context, path string) (*Engine, error) {
	keys := []string{"ROOT_ACCESS_KEY=" + S3AccessKey, "ROOT_SECRET_KEY=" + S3SecretKey}
	return StartEngine(ctx, path, keys, func(dir string, port int) ([]string, error) {
		root := filepath.Join(dir, "root")
		return []string{"--port", fmt.Sprint("127.0.0.1:", port), "--quiet", "posix", root},
			os.MkdirAll(filepath.Join(root, S3Bucket), 0o755)
	})
}

// serverLine is a node in the file that NewBalancer reads.
var serverLine = regexp.MustCompile(`(?m)^    server [^;]+;\n`)

// NewBalancer starts nginx with the configuration of a fleet, before nodes at addresses such as 127.0.0.1:8080.
func NewBalancer(ctx context.Context, configuration string, nodes []string) (*Engine, error) {
	return StartEngine(ctx, "nginx", nil, func(dir string, port int) ([]string, error) {
		content, err := os.ReadFile(configuration)
		if err != nil {
			return nil, err
		}
		text := string(content)
		if len(serverLine.FindAllString(text, -1)) == 0 || !strings.Contains(text, "listen 8080;") {
			return nil, fmt.Errorf("%s has no nodes, or doesn't listen on port 8080", configuration)
		}
		at := serverLine.FindStringIndex(text)
		text = serverLine.ReplaceAllString(text, "")
		var servers strings.Builder
		for _, node := range nodes {
			fmt.Fprintf(&servers, "    server %s;\n", node)
		}
		text = text[:at[0]] + servers.String() + text[at[0]:]
		text = strings.Replace(text, "listen 8080;", fmt.Sprintf("listen 127.0.0.1:%d;", port), 1)
		// Paths are in the folder of -p.
		text = "daemon off; master_process off; pid pid; error_log stderr;\nevents { worker_connections 4096; }\n" +
			"http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;\n" +
			"uwsgi_temp_path uwsgi; scgi_temp_path scgi;\n" + text + "}\n"
		file := filepath.Join(dir, "nginx.conf")
		return []string{"-c", file, "-p", dir}, os.WriteFile(file, []byte(text), 0o600) //nolint:gosec // our own folder
	})
}
