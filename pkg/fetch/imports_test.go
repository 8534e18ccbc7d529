package fetch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dialing are the names of other packages by which one comes to a connection. An empty list stands for the whole
// package.
var dialing = map[string][]string{
	"net": {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialIP", "DialUnix", "Dialer"},
	"net/http": {"Get", "Head", "Post", "PostForm", "DefaultClient", "Client", "DefaultTransport", "Transport",
		"NewRequest",
		"NewRequestWithContext"},
	"net/http/httputil":          {"ReverseProxy", "NewSingleHostReverseProxy"},
	"net/rpc":                    {},
	"net/smtp":                   {},
	"crypto/tls":                 {"Dial", "DialWithDialer", "Dialer", "Client"},
	"syscall":                    {"Connect", "Socket"},
	"golang.org/x/sys/unix":      {"Connect", "Socket"},
	"golang.org/x/net/http2":     {"Transport"},
	"golang.org/x/net/proxy":     {},
	"golang.org/x/net/websocket": {},
}

// mayDial are the packages that connect to what the operator has configured, never to what a stranger names, each
// with what that is; and this one.
var mayDial = map[string]string{
	"pkg/fetch":          "addresses of strangers, judged",
	"pkg/ai":             "MASTHEAD_AI_BASE_URL",
	"pkg/app":            "what settings name, in `masthead config check`",
	"pkg/app/apptest":    "the service under test",
	"pkg/blob/s3":        "MASTHEAD_S3_ENDPOINT",
	"pkg/blob/s3/s3test": "the server of the tests",
	"pkg/testenv/cut":    "the server of the tests",
	"pkg/db":             "MASTHEAD_DATABASE_URL",
	"pkg/db/dbtest":      "the server of the tests",
	"pkg/lease":          "MASTHEAD_REDIS_URL",
	"pkg/limit":          "MASTHEAD_REDIS_URL",
	"pkg/mail":           "MASTHEAD_SMTP_HOST",
	"pkg/oidc":           "MASTHEAD_OIDC_ISSUER",
	"pkg/payments":       "Stripe, or MASTHEAD_STRIPE_URL",
	"pkg/tracing":        "MASTHEAD_OTLP_ENDPOINT",
	"pkg/web/webtest":    "the service under test",
}

// TestModule_otherPackages_doNotDial reads the source of all packages that answer strangers or draw for them.
func TestModule_otherPackages_doNotDial(t *testing.T) {
	root := "../.."
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatalf("the module's root is not where it was: %v", err)
	}
	files, own := 0, 0
	for _, top := range []string{"pkg", "render", "fonts", "gen", "migrations"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			relative, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			files++
			found := dials(t, path)
			dir := filepath.ToSlash(filepath.Dir(relative))
			switch {
			case dir == "pkg/fetch":
				own += len(found)
			case top == "gen": // the client generated for users of the API; what may call it is seen below
			case mayDial[dir] == "":
				for _, name := range found {
					t.Errorf("%s uses %s: only pkg/fetch may connect to addresses of strangers", filepath.ToSlash(relative), name)
				}
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if files < 10 || own == 0 {
		t.Errorf("read %d files and found %d uses in this package: the test looks in the wrong place", files, own)
	}
}

// dials returns the uses of names by which a file could come to a connection.
func dials(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	local := map[string]string{} // name in the file -> import path
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		names, known := dialing[imported]
		if !known {
			continue
		}
		name := imported[strings.LastIndexByte(imported, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if len(names) == 0 || name == "." {
			found = append(found, imported)
			continue
		}
		local[name] = imported
	}
	ast.Inspect(file, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && slices.Contains(dialing[local[x.Name]], selector.Sel.Name) {
			found = append(found, x.Name+"."+selector.Sel.Name)
		}
		return true
	})
	return found
}

// TestModule_sourceThatDials_isSeen makes sure that the test above would see what it looks for.
func TestModule_sourceThatDials_isSeen(t *testing.T) {
	source := `package p
import ("net"; h "net/http"; . "crypto/tls"; "net/smtp")
var _ = net.Dialer{}
var _ = h.Get
var _ h.Client
var _ h.Handler
var _ = smtp.Dial
var _ = Client
`
	path := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(dials(t, path), " "), "crypto/tls net/smtp net.Dialer h.Get h.Client"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
