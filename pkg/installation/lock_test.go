//go:build linux

package installation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"masthead/pkg/installation"
)

func TestAcquire_secondIsToldOfTheFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	first, err := installation.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	first.Tell("127.0.0.1:8080")
	_, err = installation.Acquire(dir)
	who := fmt.Sprintf("process %d at 127.0.0.1:8080", os.Getpid())
	if err == nil || !strings.Contains(err.Error(), who) || !strings.Contains(err.Error(), "MASTHEAD_DATA_DIR") {
		t.Errorf("got %v, want it refused, with %q", err, who)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := installation.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := installation.Acquire(dir); err == nil || strings.Contains(err.Error(), who) {
		t.Errorf("got %v, want it refused, without the one of before", err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
}

// TestAcquire_textAloneLocksNothing is a file that a killed process left.
func TestAcquire_textAloneLocksNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, installation.LockName), []byte("process 1 at x:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lock, err := installation.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}
