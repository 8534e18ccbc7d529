// Package fleet runs the fleet of deploy/compose.fleet.yaml without containers.
package fleet_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"

	"masthead/tools/bench/rig"
)

// dir is deploy/.
const dir = "../../../../deploy"

// The fleet draws: its services run as processes, with their commands and environments and the configuration of nginx,
// in which only host names, ports, folders and the database's account differ. A card that is drawn through nginx is the
// same on each node.
func TestCompose_fleetDraws(t *testing.T) {
	server := os.Getenv("MASTHEAD_TEST_DATABASE_URL")
	switch {
	case server == "" && os.Getenv("MASTHEAD_TEST_REQUIRE") == "1":
		t.Fatal("MASTHEAD_TEST_DATABASE_URL is missing")
	case server == "":
		t.Skip("set MASTHEAD_TEST_DATABASE_URL to the address of a Postgres server, for its superuser")
	}
	secret := make([]byte, 32)
	rand.Read(secret) // it never fails
	options, err := cli.NewProjectOptions([]string{filepath.Join(dir, "compose.fleet.yaml")}, cli.WithEnv([]string{
		"MASTHEAD_JWT_SECRET=" + hex.EncodeToString(secret), "POSTGRES_PASSWORD=b", "MASTHEAD_S3_SECRET_KEY=of-the-bucket",
	}))
	must(t, err)
	project, err := options.LoadProject(t.Context())
	must(t, err)
	database, err := rig.NewDatabase(t.Context(), server)
	must(t, err)
	t.Cleanup(func() { must(t, database.Drop()) })
	account, _, _ := strings.Cut(database.URL, "?")
	buckets := t.TempDir()
	bucket := mapped(project.Services["bucket"].Command, "/buckets", buckets)
	must(t, exec.Command(bucket[0], bucket[1:]...).Run())
	valkey := start(t, "redis-server", nil, func(port string) []string {
		return append(project.Services["valkey"].Command[1:], "--bind", "127.0.0.1", "--port", port)
	})
	s3 := start(t, gateway(t), variables(project.Services["s3"]), func(port string) []string {
		return mapped(project.Services["s3"].Command, ":7070", "127.0.0.1:"+port, "/buckets", buckets)
	})
	addresses := []string{freeAddress(t), freeAddress(t)}
	nginx, err := rig.NewBalancer(t.Context(), filepath.Join(dir, "nginx.fleet.conf"), addresses)
	must(t, err)
	t.Cleanup(func() { must(t, nginx.Close()) })

	file := filepath.Join(t.TempDir(), "masthead")
	build := exec.Command("go", "build", "-C", "../../../..", "-o", file, "./cmd/masthead")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := rig.Look(t.Context(), file)
	must(t, err)
	dockerfile, err := os.ReadFile(filepath.Join(dir, "Dockerfile"))
	must(t, err)
	image := strings.Fields(regexp.MustCompile(`(?m)^ENV (.+)$`).FindStringSubmatch(string(dockerfile))[1])
	var nodes []*rig.Node
	for i, name := range []string{"node1", "node2"} {
		nodes = append(nodes, program.With(mapped(append(image, variables(project.Services[name])...),
			"0.0.0.0:8080", addresses[i], "127.0.0.1:8080", nginx.Address, "10.77.0.0/24", "127.0.0.1/32",
			"valkey:6379", valkey.Address, "s3:7070", s3.Address, "=/data", "="+t.TempDir(),
			"postgres://masthead:b@postgres:5432/masthead", account)...))
	}
	owner, err := nodes[0].Owner(t.Context(), "owner@example.com")
	must(t, err)
	for _, node := range nodes {
		must(t, node.Start(t.Context()))
		t.Cleanup(func() { must(t, node.Stop()) })
	}

	client := rig.NewClient(20 * time.Second)
	ask := func(r *http.Request, err error) []byte {
		t.Helper()
		must(t, err)
		body, err := rig.Ask(client, r)
		must(t, err)
		return body
	}
	through := &rig.Node{Base: "http://" + nginx.Address}
	var drawn rig.Image
	must(t, json.Unmarshal(ask(through.GenerateWith(t.Context(), owner, "https://example.com/a", map[string]any{
		"content": map[string]any{"title": "Through nginx"},
	})), &drawn))
	at, err := url.Parse(drawn.ImageURL)
	must(t, err)
	if at.Host != nginx.Address {
		t.Errorf("got the address %s, want it at %s", drawn.ImageURL, nginx.Address)
	}
	first := ask(through.Get(t.Context(), at.Path))
	for i, node := range nodes {
		for _, path := range []string{at.Path, drawn.OGPath()} {
			if got := ask(node.Get(t.Context(), path)); !bytes.Equal(got, first) || len(got) < 1000 {
				t.Errorf("node %d sends %d bytes for %s, want the %d of the card", i+1, len(got), path, len(first))
			}
		}
		var ready struct{ Limits string }
		must(t, json.Unmarshal(ask(node.Get(t.Context(), "/readyz")), &ready))
		if ready.Limits != "shared" {
			t.Errorf("node %d counts requests for %q, want shared", i+1, ready.Limits)
		}
	}
	if cached, err := filepath.Glob(filepath.Join(buckets, "cards", "cdn", "*", "*")); err != nil || len(cached) == 0 {
		t.Errorf("there is no card in the bucket: %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mapped returns texts with the pairs of old and new replaced.
func mapped(texts []string, pairs ...string) (all []string) {
	replacer := strings.NewReplacer(pairs...)
	for _, text := range texts {
		all = append(all, replacer.Replace(text))
	}
	return all
}

// variables returns the environment of a service, as NAME=value.
func variables(s types.ServiceConfig) (all []string) {
	for name, value := range s.Environment {
		all = append(all, fmt.Sprint(name, "=", *value))
	}
	return all
}

// start starts a program with arguments that name its port.
func start(t *testing.T, program string, env []string, args func(port string) []string) *rig.Engine {
	t.Helper()
	e, err := rig.StartEngine(t.Context(), program, env, func(_ string, port int) ([]string, error) {
		return args(fmt.Sprint(port)), nil
	})
	must(t, err)
	t.Cleanup(func() { must(t, e.Close()) })
	return e
}

func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := rig.FreeAddress()
	must(t, err)
	return address
}

// gateway returns the S3 server: the program that MASTHEAD_TEST_S3_PROGRAM names, or else one that is built, which takes
// minutes the first time.
func gateway(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("MASTHEAD_TEST_S3_PROGRAM"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "versitygw")
	build := exec.Command("go", "build", "-C", "../../s3", "-o", path, "github.com/versity/versitygw/cmd/versitygw")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}
