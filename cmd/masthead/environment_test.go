package main

import (
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"masthead/pkg/testenv"
)

func TestDropEmpty_emptyVariableMeansTheDefault(t *testing.T) {
	var unset []string
	err := dropEmpty([]string{"MASTHEAD_LOG_LEVEL=", "MASTHEAD_ADDR=127.0.0.1:1", "OTHER="}, func(key string) error {
		unset = append(unset, key)
		return nil
	})
	if err != nil || len(unset) != 1 || unset[0] != "MASTHEAD_LOG_LEVEL" {
		t.Errorf("got %v, %v", unset, err)
	}
}

// parserOf is that of the real command line.
func parserOf(t *testing.T) *kong.Kong {
	t.Helper()
	parser, err := kong.New(&commands{}, lineVars())
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

// settings are those of the real command line.
func settings(t *testing.T) []string {
	t.Helper()
	return settingsOf(parserOf(t))
}

func TestCheckVariables_unknownOneIsNamedWithTheNearest(t *testing.T) {
	known := settings(t)
	for _, c := range []struct{ entry, want string }{
		{"MASTHEAD_ADR=x", "no setting MASTHEAD_ADR; the nearest is MASTHEAD_ADDR."},
		{"MASTHEAD_DATABASEURL=x", "the nearest is MASTHEAD_DATABASE_URL."},
		{"MASTHEAD_JWT_SECRT_FILE=x", "no setting MASTHEAD_JWT_SECRT_FILE; the nearest is MASTHEAD_JWT_SECRET_FILE."},
		{"MASTHEAD_REDIS_ULR=x", "the nearest is MASTHEAD_REDIS_URL."},
		{"MASTHEAD_FETCH_PAGE_TIMES=x", "the nearest is MASTHEAD_FETCH_PAGE_TIME."},
		{"MASTHEAD_=x", "no setting MASTHEAD_;"},
	} {
		_, err := checkVariables([]string{"PATH=/bin", c.entry}, known, known)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.entry, err, c.want)
		}
	}
	_, err := checkVariables([]string{"MASTHEAD_ONE=x", "MASTHEAD_TWO=x"}, known, known)
	if err == nil || !strings.Contains(err.Error(), "MASTHEAD_ONE") || !strings.Contains(err.Error(), "MASTHEAD_TWO") {
		t.Errorf("got %v, want both named", err)
	}
}

func TestCheckVariables_knownAndForeignOnesPass(t *testing.T) {
	environ := []string{
		"MASTHEAD_TEST_DATABASE_URL=x", "MASTHEAD_SERVICE_HOST=10.0.0.1", "MASTHEAD_SERVICE_PORT_HTTP=80",
		"MASTHEAD_PORT=tcp://10.0.0.1:80", "MASTHEAD_PORT_80_TCP_ADDR=10.0.0.1", "MASTHEADS=x",
		"OTHER=x", "MASTHEAD_NOTHING=",
	}
	for _, name := range settings(t) {
		environ = append(environ, name+"=x", name+"_FILE=x")
	}
	if warnings, err := checkVariables(environ, settings(t), settings(t)); err != nil || len(warnings) > 0 {
		t.Errorf("got %v, %v, want silence", warnings, err)
	}
	warnings, err := checkVariables([]string{"MASTHEAD_PORT=9000"}, settings(t), settings(t))
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "MASTHEAD_ADDR=127.0.0.1:9000") {
		t.Errorf("a port: got %v, %v, want to be told of MASTHEAD_ADDR", warnings, err)
	}
}

// TestCheckVariables_decidedSettingsExist has the names of the settings that were decided on: each sets something.
func TestCheckVariables_decidedSettingsExist(t *testing.T) {
	known := settings(t)
	decided := `ADDR ADMIN_ADDR ADMIN_TOKEN BASE_URL CDN_URL DATA_DIR DATABASE_URL REDIS_URL S3_ENDPOINT S3_BUCKET
		S3_REGION S3_ACCESS_KEY S3_SECRET_KEY JWT_SECRET JWT_SECRET_PREVIOUS FETCH_ALLOW TRUSTED_PROXIES
		RPM_FREE RPM_PLUS RPM_PRO RPM_AUTH RPM_PREVIEW BREAKER_RPM BREAKER_MISSES_RPM AI_BASE_URL AI_API_KEY
		AI_IMAGE_MODEL_STANDARD AI_IMAGE_MODEL_PRO AI_TEXT_MODEL ANALYSES_FREE ANALYSES_PLUS ANALYSES_PRO
		SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASSWORD SMTP_FROM REGISTRATION RENDER_WORKERS LOG_LEVEL
		LOG_FORMAT`
	for name := range strings.FieldsSeq(decided) {
		if name = prefix + name; !slices.Contains(known, name) {
			t.Errorf("%s is neither a setting nor one that will be", name)
		}
	}
}

func TestEdits_countsWhatIsDifferent(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"ADR", "ADDR", 1}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestSecretFiles_fileIsTheValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(" a secret \r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flag := &kong.Flag{Envs: []string{"MASTHEAD_JWT_SECRET"}}
	resolve := func(environ map[string]string) (any, error) {
		return secretFiles{func(name string) string { return environ[name] }}.Resolve(nil, nil, flag)
	}
	if got, err := resolve(map[string]string{"MASTHEAD_JWT_SECRET_FILE": path}); err != nil || got != " a secret " {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := resolve(map[string]string{"MASTHEAD_OTHER_FILE": path}); err != nil || got != nil {
		t.Errorf("another's: got %v, %v", got, err)
	}
	for _, environ := range []map[string]string{
		{"MASTHEAD_JWT_SECRET_FILE": "/nowhere"}, {"MASTHEAD_JWT_SECRET_FILE": path, "MASTHEAD_JWT_SECRET": "x"},
	} {
		if _, err := resolve(environ); err == nil || !strings.Contains(err.Error(), "MASTHEAD_JWT_SECRET_FILE") {
			t.Errorf("%v: got %v, want an error that names the variable", environ, err)
		}
	}
}

// TestProgram_variablesOfAnotherCommandDoNotStopIt has a slip that stops what reads settings, and nothing else.
func TestProgram_variablesOfAnotherCommandDoNotStopIt(t *testing.T) {
	dir := t.TempDir()
	slip := []string{"MASTHEAD_DATABSE_URL=postgres://x/y", "MASTHEAD_JWT_SECRET_FILE=/nowhere"}
	for _, args := range [][]string{{"serve"}, {"key", "create", "--project", "x"}, {"admin", "create", "a@example.com"}} {
		masthead(t, dir, "", slip[:1], args...).want(t, exitUsage, "MASTHEAD_DATABASE_URL")
	}
	path := []string{"MASTHEAD_BASE_URL=https://example.com/masthead"}
	masthead(t, dir, "", path, "serve").want(t, exitUsage, "masthead: MASTHEAD_BASE_URL must have no path")
	masthead(t, dir, "", slip[1:], "serve").want(t, exitUsage, "masthead: MASTHEAD_JWT_SECRET_FILE: open /nowhere")
	for _, args := range [][]string{{"version"}, {"help"}, {"card", "--list"}} {
		masthead(t, dir, "", slip, args...).want(t, exitDone)
	}
	masthead(t, dir, "", []string{"MASTHEAD_FONT_DIR=x"}, "card", "--list").want(t, exitUsage, "MASTHEAD_FONTS_DIR")
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("a start that was stopped left %v, %v", left, err)
	}
}

// TestProgram_numberThatIsNoneIsRefused has every setting that is a fraction, of every command.
func TestProgram_numberThatIsNoneIsRefused(t *testing.T) {
	testenv.ManyStarts(t)
	dir, found := t.TempDir(), 0
	for _, node := range parserOf(t).Model.Leaves(false) {
		for _, flag := range node.Flags {
			if kind := flag.Target.Kind(); kind != reflect.Float64 && kind != reflect.Float32 {
				continue
			}
			found++
			name := "--" + flag.Name
			if len(flag.Envs) > 0 {
				name = flag.Envs[0]
			}
			args := strings.Fields(node.Path())
			for _, argument := range node.Positional {
				if argument.Required {
					args = append(args, "https://example.com/")
				}
			}
			for _, value := range []string{"NaN", "Inf", "-Inf", "+infinity"} {
				masthead(t, dir, "", nil, append(args[:len(args):len(args)], "--"+flag.Name+"="+value)...).
					want(t, exitUsage, name)
			}
		}
	}
	if found == 0 {
		t.Error("there is no such setting any more")
	}
}

// TestProgram_damagedFileIsNamed has a secret that is empty, as a file that is mounted wrongly is, and a database of
// which a part is overwritten.
func TestProgram_damagedFileIsNamed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, text := range []string{"", "\n", "  \n"} {
		path := write("mounted", text)
		masthead(t, dir, "", []string{"MASTHEAD_JWT_SECRET_FILE=" + path}, "serve").
			want(t, exitUsage, "MASTHEAD_JWT_SECRET_FILE", path)
		write("data/jwt-secret", text)
		masthead(t, dir, "", []string{"MASTHEAD_ADDR=127.0.0.1:0"}, "serve").want(t, exitFailed, "data/jwt-secret", "delete it")
	}
	write("data/jwt-secret", "short\n")
	masthead(t, dir, "", []string{"MASTHEAD_ADDR=127.0.0.1:0"}, "serve").want(t, exitFailed, "data/jwt-secret")
	if err := os.Remove(filepath.Join(dir, "data/jwt-secret")); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{strings.Repeat("no database ", 1000), "SQLite format 3\x00" + strings.Repeat("x", 8000)} {
		write("data/masthead.db", text)
		for _, args := range [][]string{{"serve"}, {"admin", "create", "a@example.com"}} {
			masthead(t, dir, "a password of many\n", []string{"MASTHEAD_ADDR=127.0.0.1:0"}, args...).
				want(t, exitFailed, "data/masthead.db")
		}
	}
}

// TestProgram_faultOfTheMachineIsNoWrongUsage has a port that is taken.
func TestProgram_faultOfTheMachineIsNoWrongUsage(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	masthead(t, t.TempDir(), "", []string{"MASTHEAD_ADDR=" + taken.Addr().String()}, "serve").
		want(t, exitFailed, "MASTHEAD_ADDR")
}

// TestDocs_nameOnlySettingsThatExist looks for variables in the pages that people read; docs/configuration.md, which
// is generated, has them all.
func TestDocs_nameOnlySettingsThatExist(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages:", err)
	}
	known := settings(t)
	found := 0
	for _, path := range append(pages, "../../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\bMASTHEAD_[A-Z0-9_]*[A-Z0-9]\b`).FindAllString(string(text), -1) {
			found++
			if !slices.Contains(known, strings.TrimSuffix(name, fileSuffix)) && !strings.HasPrefix(name, "MASTHEAD_TEST_") {
				t.Errorf("%s names %s, which is no setting", path, name)
			}
		}
	}
	if found < len(known) {
		t.Errorf("found %d names, want at least one for each of %d settings", found, len(known))
	}
}
