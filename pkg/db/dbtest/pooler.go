package dbtest

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/testenv"
)

// poolerConnections is how many connections to Postgres a pooler has: fewer than a node would use.
const poolerConnections = 5

// RunPooled calls test with the configuration of a new, migrated database behind PgBouncer in transaction mode, if both
// are there. The role of the database has the limits that a pooler can't set.
func RunPooled(t *testing.T, test func(t *testing.T, cfg db.Config)) {
	t.Helper()
	program, ok := testenv.PgBouncer(t)
	if !ok {
		return
	}
	RunPostgres(t, func(t *testing.T, direct string) {
		test(t, db.Config{URL: startPooler(t, program, direct), DirectURL: direct})
	})
}

// startPooler starts PgBouncer before a Postgres database and returns the address of the database there.
func startPooler(t *testing.T, program, direct string) (address string) {
	t.Helper()
	u, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	server := fmt.Sprintf("host=%s port=%s user=%s", u.Hostname(), u.Port(), u.User.Username())
	if password, set := u.User.Password(); set {
		server += " password=" + password
	}
	u.Host = testenv.FreeAddress(t)
	settings := filepath.Join(t.TempDir(), "pgbouncer.ini")
	text := fmt.Sprintf("[databases]\n* = %s\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %s\nauth_type = any\n"+
		"pool_mode = transaction\ndefault_pool_size = %d\nunix_socket_dir =\n", server, u.Port(), poolerConnections)
	if os.Getuid() == 0 { // it refuses to run as root
		text += "user = nobody\n"
	}
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	pooler := exec.Command(program, "-q", settings) //nolint:gosec,noctx // what is installed here; killed below
	pooler.Stderr = &log
	if err := pooler.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = pooler.Process.Kill() // it has ended then
		_ = pooler.Wait()
	})
	for range 300 {
		conn, err := net.DialTimeout("tcp", u.Host, time.Second) //nolint:forbidigo,noctx // the test's own server
		if err == nil {
			_ = conn.Close()
			return strings.TrimSuffix(u.String(), "/")
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("PgBouncer doesn't listen: %s", log.String())
	return ""
}
