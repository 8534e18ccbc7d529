// Package deploy checks the files of deploy/ with the parsers of the programs that read them. Its own module keeps
// these parsers out of Masthead's.
package deploy_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/goreleaser/goreleaser/v2/pkg/config"
	crossplane "github.com/nginxinc/nginx-go-crossplane"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// dir is deploy/.
const dir = "../../../deploy"

// read returns a file of deploy/.
func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The compose file loads with compose's own loader, and its service can write nowhere but in its volume.
func TestCompose_isReadOnly(t *testing.T) {
	options, err := cli.NewProjectOptions([]string{filepath.Join(dir, "compose.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Services) != 1 {
		t.Fatalf("got %d services, want one node", len(project.Services))
	}
	s := project.Services["masthead"]
	if !s.ReadOnly || len(s.CapDrop) != 1 || s.CapDrop[0] != "ALL" || s.Privileged {
		t.Errorf("read_only %t, cap_drop %v, privileged %t", s.ReadOnly, s.CapDrop, s.Privileged)
	}
	if len(s.Volumes) != 1 || s.Volumes[0].Target != "/data" {
		t.Errorf("got the volumes %v, want /data", s.Volumes)
	}
	for _, p := range s.Ports {
		if p.HostIP != "127.0.0.1" {
			t.Errorf("port %s is open to other machines without TLS", p.Published)
		}
	}
	dockerfile := filepath.Join(s.Build.Context, s.Build.Dockerfile)
	if _, err := os.Stat(dockerfile); err != nil {
		t.Error(err)
	}
	if strings.HasSuffix(s.Image, ":latest") || !strings.Contains(s.Image, ":") {
		t.Errorf("the image %s isn't pinned", s.Image)
	}
}

// The fleet loads, its nodes are alike and use every engine, their settings exist, and nothing is open to other machines.
func TestCompose_fleet(t *testing.T) {
	options, err := cli.NewProjectOptions([]string{filepath.Join(dir, "compose.fleet.yaml")}, cli.WithEnv([]string{
		"MASTHEAD_JWT_SECRET=a", "POSTGRES_PASSWORD=b", "MASTHEAD_S3_SECRET_KEY=c",
	}))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	known := read(t, "masthead.env.example")
	for _, name := range []string{"node1", "node2"} {
		node := project.Services[name]
		if !node.ReadOnly || len(node.CapDrop) != 1 || len(node.Ports) != 0 {
			t.Errorf("%s: read_only %t, cap_drop %v, ports %v", name, node.ReadOnly, node.CapDrop, node.Ports)
		}
		for setting := range node.Environment {
			if !strings.Contains(known, setting+"=") {
				t.Errorf("%s: there is no setting %s", name, setting)
			}
		}
		for _, engine := range []string{"MASTHEAD_DATABASE_URL", "MASTHEAD_REDIS_URL", "MASTHEAD_S3_ENDPOINT"} {
			if value := node.Environment[engine]; value == nil || *value == "" {
				t.Errorf("%s: %s is missing", name, engine)
			}
		}
		if !strings.Contains(read(t, "nginx.fleet.conf"), "server "+name+":8080;") {
			t.Errorf("nginx doesn't know %s", name)
		}
	}
	for name, s := range project.Services {
		if !strings.Contains(s.Image, ":") || strings.HasSuffix(s.Image, ":latest") {
			t.Errorf("the image %s isn't pinned", s.Image)
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s is open to other machines without TLS", name, port.Published)
			}
		}
	}
	options, err = cli.NewProjectOptions([]string{filepath.Join(dir, "compose.fleet.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := options.LoadProject(context.Background()); err == nil || !strings.Contains(err.Error(), "openssl rand") {
		t.Errorf("without secrets: got %v, want a sentence that says how to make one", err)
	}
}

// The image is static, pinned, not root's, and checks its health itself.
func TestDockerfile(t *testing.T) {
	text := read(t, "Dockerfile")
	for _, want := range []string{
		`(?m)^FROM --platform=\$BUILDPLATFORM golang:\d+\.\d+\.\d+-[a-z]+ AS build$`, `(?m)^FROM scratch$`, `CGO_ENABLED=0`,
		`GOARCH=\$TARGETARCH`, `(?m)^USER 65532:65532$`, `(?m)^HEALTHCHECK .*CMD \["/usr/bin/masthead", "healthcheck"\]$`,
		`(?m)^ARG TAGS=""$`, `-X main\.version=\$VERSION -X main\.revision=\$REVISION -X main\.date=\$DATE`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("there is no %s", want)
		}
	}
	for _, never := range []string{`(?m)^ADD `, `:latest`, `(?m)^USER root`, `(?m)^FROM [^$\n]*(debian|ubuntu|alpine)`} {
		if found := regexp.MustCompile(never).FindString(text); found != "" {
			t.Errorf("there is %s", found)
		}
	}
	// The toolchain is at least what go.mod requires.
	required := regexp.MustCompile(`(?m)^go (\d+)\.(\d+)`).FindStringSubmatch(read(t, "../go.mod"))
	used := regexp.MustCompile(`golang:(\d+)\.(\d+)`).FindStringSubmatch(text)
	if required[1] != used[1] || number(t, required[2]) > number(t, used[2]) {
		t.Errorf("go.mod requires Go %s.%s, and the image is built with %s.%s", required[1], required[2], used[1], used[2])
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// systemd accepts the unit without a word, and finds its sandbox tight.
func TestUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Fatal("install systemd: ", err)
	}
	text := read(t, "masthead.service")
	if strings.Contains(text, "\nMemoryDenyWriteExecute=yes") {
		t.Error("MemoryDenyWriteExecute stops the engine that draws SVG, which compiles code")
	}
	const program = "/usr/bin/masthead"
	if !strings.Contains(text, "ExecStart="+program+" serve\n") {
		t.Errorf("the unit doesn't start %s", program)
	}
	unit := filepath.Join(t.TempDir(), "masthead.service")
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(text, program, "/bin/true")), 0o600); err != nil {
		t.Fatal(err)
	}
	// Its exit status is 0 even for unknown keys.
	if out, err := exec.Command(analyze, "verify", unit).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	out, err := exec.Command(analyze, "security", "--no-pager", "--offline=true", unit).CombinedOutput()
	level := regexp.MustCompile(`exposure level for masthead\.service: (\d+\.\d+)`).FindStringSubmatch(string(out))
	if level == nil {
		t.Fatalf("systemd-analyze security: %v\n%s", err, out)
	}
	if score, err := strconv.ParseFloat(level[1], 64); err != nil || score > 2.5 {
		t.Errorf("the exposure is %s, want at most 2.5\n%s", level[1], out)
	}
}

// nginx knows every directive of its examples, where it is and with as many arguments.
func TestNginx(t *testing.T) {
	for _, name := range []string{"nginx.conf", "nginx.fleet.conf"} {
		main := filepath.Join(t.TempDir(), "nginx.conf")
		site, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("events {}\nhttp {\n  include %s;\n}\n", site)
		if err := os.WriteFile(main, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		parsed, err := crossplane.Parse(main, &crossplane.ParseOptions{ErrorOnUnknownDirectives: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range parsed.Errors {
			t.Errorf("%s: %v", fault.File, fault.Error)
		}
		if len(parsed.Config) != 2 {
			t.Errorf("%s: got %d files, want the example to be read", name, len(parsed.Config))
		}
	}
}

// goreleaser knows every key, and the files that it packs exist.
func TestGoreleaser(t *testing.T) {
	project, err := config.Load(filepath.Join(dir, "goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Builds) != 1 || len(project.Builds[0].Goos) != 3 || len(project.Builds[0].Goarch) != 2 {
		t.Errorf("got the builds %+v, want Linux, macOS and Windows on two processors", project.Builds)
	}
	if got := strings.Join(project.NFPMs[0].Formats, " "); got != "deb rpm" {
		t.Errorf("got the packages %s", got)
	}
	var files []string
	for _, f := range project.Archives[0].Files {
		files = append(files, f.Source)
	}
	for _, f := range project.NFPMs[0].Contents {
		files = append(files, f.Source)
	}
	for _, f := range files {
		if found, err := filepath.Glob(filepath.Join("../../..", f)); err != nil || len(found) == 0 {
			t.Errorf("there is no %s: %v", f, err)
		}
	}
}

// The chart's own values fit its schema, which refuses what doesn't: misspelled settings, a moving tag, no node.
func TestChart_valuesFitTheirSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(dir, "helm/masthead/values.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	values := func() (v map[string]any) {
		if err := yaml.Unmarshal([]byte(read(t, "helm/masthead/values.yaml")), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	if err := schema.Validate(values()); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(v map[string]any){
		"an unknown value":      func(v map[string]any) { v["replica"] = 2 },
		"no node":               func(v map[string]any) { v["replicas"] = 0 },
		"a moving tag":          func(v map[string]any) { v["image"].(map[string]any)["tag"] = "latest" },
		"a misspelled setting":  func(v map[string]any) { v["settings"].(map[string]any)["MASTERHEAD_ADDR"] = "x" },
		"an ingress, no host":   func(v map[string]any) { v["ingress"].(map[string]any)["enabled"] = true },
		"a port out of range":   func(v map[string]any) { v["service"].(map[string]any)["port"] = 70000 },
		"a size without a unit": func(v map[string]any) { v["persistence"].(map[string]any)["size"] = "many" },
	} {
		v := values()
		change(v)
		if schema.Validate(v) == nil {
			t.Errorf("the schema accepts %s", name)
		}
	}
}
