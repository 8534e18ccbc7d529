//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"masthead/pkg/testenv"
)

// TestBackup_andRestoreByHand does what docs/backup.md says, with the refusals on the way.
func TestBackup_andRestoreByHand(t *testing.T) {
	testenv.ManyStarts(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "passphrase"), []byte("correct horse battery\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(settings []string, args ...string) runResult { return masthead(t, dir, "", settings, args...) }
	run(nil, "backup", "b.tar").want(t, exitFailed, "there is nothing to back up", "MASTHEAD_DATA_DIR")
	run(nil, "admin", "create", "first@example.com").want(t, exitDone)
	run(nil, "backup", "b.tar").want(t, exitDone, "Backed up the database and 0 files to b.tar", "It isn't encrypted")
	run(nil, "backup", "b.tar").want(t, exitFailed, "b.tar exists")
	run(nil, "backup", "none/b.tar").want(t, exitFailed, "no such file or directory")
	run(nil, "backup", "c.tar", "--encrypt").want(t, exitUsage, "there is no passphrase", "MASTHEAD_BACKUP_PASSPHRASE")
	run([]string{"MASTHEAD_BACKUP_PASSPHRASE=short"}, "backup", "c.tar", "--encrypt").want(t, exitUsage, "at least 12")
	run(nil, "backup", "c.tar", "--passphrase-file", "passphrase").want(t, exitUsage, "needs --encrypt")
	run(nil, "backup", "c.tar", "--encrypt", "--passphrase-file", "passphrase").want(t, exitDone, "It is encrypted")
	if text, err := os.ReadFile(filepath.Join(dir, "c.tar")); err != nil || strings.Contains(string(text), "example.com") {
		t.Errorf("got %v, want nothing of the accounts to be readable", err)
	}

	run(nil, "admin", "create", "second@example.com").want(t, exitDone)
	run(nil, "restore", "b.tar").want(t, exitFailed, "there is an installation already in", "--replace replaces it")
	run(nil, "restore", "c.tar", "--replace").want(t, exitUsage, "there is no passphrase")
	run([]string{"MASTHEAD_BACKUP_PASSPHRASE=the wrong one"}, "restore", "c.tar", "--replace").
		want(t, exitFailed, "the passphrase doesn't open this backup. The data in", "is as it was")
	run(nil, "restore", "passphrase", "--replace").want(t, exitFailed, "damaged or incomplete", "is as it was")
	run(nil, "admin", "list").want(t, exitDone, "first@example.com", "second@example.com")
	run([]string{"MASTHEAD_BACKUP_PASSPHRASE_FILE=passphrase"}, "restore", "c.tar", "--replace").
		want(t, exitDone, "Restored the database and 0 files")
	if got := run(nil, "admin", "list"); strings.Contains(got.out, "second") || !strings.Contains(got.out, "first") {
		t.Errorf("got %s, want the account of the backup alone", got.out)
	}
	run(nil, "restore", "b.tar", "--data-dir", "elsewhere").want(t, exitDone, "Restored the database")
	run(nil, "admin", "list", "--data-dir", "elsewhere").want(t, exitDone, "first@example.com")
	if left, err := filepath.Glob(filepath.Join(dir, ".masthead-*")); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v, want nothing left", left, err)
	}
}

// TestRestore_runningServiceIsRefused has a service on the data folder, which goes on serving. Once it has stopped, a
// database file that SQLite can't read is replaced, too.
func TestRestore_runningServiceIsRefused(t *testing.T) {
	testenv.ManyStarts(t)
	dir, work, site := t.TempDir(), t.TempDir(), newChangingSite(t)
	p := open(t, dir, site)
	made, status, err := p.generate(site, order{page: "/page/one", title: "One"})
	if err != nil || status != 200 {
		t.Fatal(status, err)
	}
	data := []string{"MASTHEAD_DATA_DIR=" + dir}
	masthead(t, work, "", data, "backup", "b.tar").want(t, exitDone, "Backed up the database and 1 file")
	masthead(t, work, "", data, "restore", "b.tar", "--replace").
		want(t, exitFailed, "is already served by process", "is as it was")
	digest, name := made.file(t)
	path := "/cdn/" + digest + "/" + name
	status, want := p.get(path)
	if status != 200 {
		t.Errorf("got %d, want the service to go on", status)
	}
	p.signal(syscall.SIGKILL)
	p.wait()
	unreadable := []byte(strings.Repeat("no database ", 1000))
	if err := os.WriteFile(filepath.Join(dir, "masthead.db"), unreadable, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "images", digest[:2])); err != nil {
		t.Fatal(err)
	}
	masthead(t, work, "", data, "restore", "b.tar", "--replace").want(t, exitDone, "Restored the database and 1 file")
	p = open(t, dir, site)
	if status, got := p.get(path); status != 200 || string(got) != string(want) {
		t.Errorf("got %d and %d bytes, want the picture", status, len(got))
	}
}

// TestBackup_fullDiskLeavesWhatWas limits the size of files, which fails a write in the middle as a full disk does.
func TestBackup_fullDiskLeavesWhatWas(t *testing.T) {
	testenv.ManyStarts(t)
	dir := t.TempDir()
	masthead(t, dir, "", nil, "admin", "create", "first@example.com").want(t, exitDone)
	masthead(t, dir, "", nil, "backup", "b.tar").want(t, exitDone)
	masthead(t, dir, "", nil, "admin", "create", "second@example.com").want(t, exitDone)
	limited := func(args ...string) runResult {
		t.Helper()
		file, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		var out, report output
		cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 64; exec "$0" "$@"`, file}, args...)...) // 32 or 64 KB
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &report
		cmd.Env = append(os.Environ(), asProgram+"=1")
		_ = cmd.Run() // its code says how it ended
		return runResult{out.String(), report.String(), cmd.ProcessState.ExitCode()}
	}
	limited("backup", "c.tar").want(t, exitFailed, "masthead: ")
	limited("restore", "b.tar", "--replace").want(t, exitFailed, "file too large. The data in", "is as it was")
	masthead(t, dir, "", nil, "admin", "list").want(t, exitDone, "first@example.com", "second@example.com")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "c.tar" || strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s was left", e.Name())
		}
	}
	masthead(t, dir, "", nil, "restore", "b.tar", "--replace").want(t, exitDone)
}

// TestRestore_killedLeavesOldOrNew kills restores at any moment: the accounts are those of before or of the backup.
func TestRestore_killedLeavesOldOrNew(t *testing.T) {
	testenv.ManyStarts(t)
	dir := t.TempDir()
	masthead(t, dir, "", nil, "admin", "create", "first@example.com").want(t, exitDone)
	secret := filepath.Join(dir, "data", "jwt-secret") // as the first start makes it
	if err := os.WriteFile(secret, []byte(strings.Repeat("s", 64)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	masthead(t, dir, "", nil, "backup", "old.tar").want(t, exitDone)
	masthead(t, dir, "", nil, "admin", "create", "second@example.com").want(t, exitDone)
	masthead(t, dir, "", nil, "backup", "new.tar").want(t, exitDone)
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 12
	before := "new.tar"
	for range rounds {
		name := map[string]string{"new.tar": "old.tar", "old.tar": "new.tar"}[before]
		cmd := exec.Command(file, "restore", name, "--replace")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), asProgram+"=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(150_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Log(err) // it has ended
		}
		_ = cmd.Wait() // it was killed
		got := masthead(t, dir, "", nil, "admin", "list")
		got.want(t, exitDone, "first@example.com")
		before = "old.tar"
		if strings.Contains(got.out, "second@example.com") {
			before = "new.tar"
		}
	}
	for _, name := range []string{".probe", ".jwt-secret.writing"} { // moments too short to be met by chance
		if err := os.WriteFile(filepath.Join(dir, "data", name), []byte("the first bytes"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	masthead(t, dir, "", nil, "restore", "old.tar", "--replace").want(t, exitDone)
	if left, err := filepath.Glob(filepath.Join(dir, "data", ".*")); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v, want nothing left of restores that were killed", left, err)
	}
}

// TestBackup_killedLeavesAWholeFileOrNone kills backups at any moment: what has the name can be restored, and the next
// backup works.
func TestBackup_killedLeavesAWholeFileOrNone(t *testing.T) {
	testenv.ManyStarts(t)
	dir := t.TempDir()
	masthead(t, dir, "", nil, "admin", "create", "first@example.com").want(t, exitDone)
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 6
	whole := []string{"b.tar"}
	for range rounds {
		cmd := exec.Command(file, "backup", "killed.tar")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), asProgram+"=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(100_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Log(err) // it has ended
		}
		_ = cmd.Wait() // it was killed
		if _, err := os.Stat(filepath.Join(dir, "killed.tar")); err == nil {
			whole = append(whole, "killed.tar")
			break
		}
	}
	masthead(t, dir, "", nil, "backup", "b.tar").want(t, exitDone)
	for _, name := range whole {
		masthead(t, dir, "", nil, "restore", name, "--data-dir", "of-"+name).want(t, exitDone)
		masthead(t, dir, "", nil, "admin", "list", "--data-dir", "of-"+name).want(t, exitDone, "first@example.com")
	}
}
