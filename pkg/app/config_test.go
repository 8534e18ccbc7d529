package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSigningSecret_isMadeOnceAndKeptPrivate(t *testing.T) {
	s := Config{Storage: Storage{DataDir: filepath.Join(t.TempDir(), "new")}}
	first, err := s.signingSecret()
	if err != nil || len(first) < 40 {
		t.Fatalf("got %q, %v", first, err)
	}
	if second, err := s.signingSecret(); err != nil || second != first {
		t.Errorf("got another secret, %v", err)
	}
	info, err := os.Stat(filepath.Join(s.DataDir, "jwt-secret"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 0600", info, err)
	}
	s.Database.URL = "postgres://localhost/x"
	if _, err := s.signingSecret(); err == nil || !strings.Contains(err.Error(), "MASTHEAD_JWT_SECRET") {
		t.Errorf("with a shared database: got %v, want the start to stop", err)
	}
}
