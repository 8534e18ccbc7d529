//go:build nightly

package snippets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"masthead/pkg/card"
	"masthead/pkg/web/snippets"
)

// project is a site in .ci/tools/snippets.
type project struct {
	// file gets the snippet, as with returns it; nil is unchanged. page is the built page, and address its public one.
	file, page, address string
	with                func(code string) string
	// build are the commands in place of those of npm.
	build [][]string
}

const site = "https://northlane.dev"

// document is a page with a snippet in its head, and what is in its body.
func document(code, body string) string {
	return "<!doctype html>\n<html><head>\n" + code + "</head><body>" + body + "</body></html>\n"
}

var projects = map[string]project{
	"hugo": {
		file: "layouts/partials/head.html", page: "public/blog/render-queue/index.html",
		address: site + "/blog/render-queue/",
		build:   [][]string{{"hugo", "--quiet"}},
	},
	"jekyll": {
		file: "_includes/head.html", page: "_site/blog/render-queue.html", address: site + "/blog/render-queue.html",
		build: [][]string{{"jekyll", "build", "--quiet"}},
	},
	"astro": {
		file: "src/layouts/Post.astro", page: "dist/blog/render-queue/index.html", address: site + "/blog/render-queue/",
		with: func(code string) string {
			end := strings.LastIndex(code, "---\n") + len("---\n")
			return code[:end] + document(code[end:], "<slot />")
		},
	},
	"eleventy": {
		file: "_includes/layout.njk", page: "_site/blog/render-queue/index.html", address: site + "/blog/render-queue/",
		with: func(code string) string { return document(code, "{{ content | safe }}") },
	},
	"vitepress": {
		file: ".vitepress/config.mts", page: ".vitepress/dist/blog/render-queue.html",
		address: site + "/blog/render-queue.html",
	},
	"sveltekit": {
		file: "src/routes/+layout.svelte", page: "build/blog/render-queue.html", address: site + "/blog/render-queue",
	},
	"next": {
		file: "app/blog/[slug]/page.tsx", page: "out/blog/render-queue.html", address: site + "/blog/render-queue",
		with: func(code string) string {
			return code + `
export function generateStaticParams() {
  return [{ slug: "render-queue" }]
}

export default function Page() {
  return <p>Text</p>
}
`
		},
	},
	"nuxt": {
		file: "app/app.vue", page: ".output/public/blog/render-queue/index.html", address: site + "/blog/render-queue",
		with: func(code string) string { return code + "\n<template>\n  <NuxtPage />\n</template>\n" },
	},
	"docusaurus": {
		file: "src/theme/Root.js", page: "build/blog/render-queue/index.html", address: site + "/blog/render-queue",
	},
}

// TestProjects_build builds a site of each framework with its snippet. The built page names its own share image.
func TestProjects_build(t *testing.T) {
	only := strings.FieldsFunc(os.Getenv("ONLY"), func(r rune) bool { return r == ',' })
	for name, p := range projects {
		t.Run(name, func(t *testing.T) {
			if len(only) > 0 && !slices.Contains(only, name) {
				t.Skip("not among ONLY")
			}
			v := values(card.OG, "")
			s, err := snippets.Find(name, v)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := copyFS(dir, os.DirFS("../../../.ci/tools/snippets/"+name)); err != nil {
				t.Fatal(err)
			}
			code := s.Code
			if p.with != nil {
				code = p.with(code)
			}
			file := filepath.Join(dir, filepath.FromSlash(p.file))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(code), 0o644); err != nil {
				t.Fatal(err)
			}
			commands := p.build
			if commands == nil {
				commands = [][]string{
					{"npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"}, {"npm", "run", "--silent", "build"},
				}
			}
			for _, c := range commands {
				run(t, dir, c...)
			}
			built, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.page)))
			if err != nil {
				t.Fatal(err)
			}
			named := imagesIn(t, built)
			if len(named["og:image"]) != 1 || len(named["og:image:width"]) != 1 || len(named["twitter:card"]) != 1 {
				t.Fatalf("the page names %v", named)
			}
			wantAddress(t, v, p.address, named["og:image"][0])
		})
	}
}

// run runs a command in a folder.
func run(t *testing.T, dir string, command ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DO_NOT_TRACK=1", "NEXT_TELEMETRY_DISABLED=1", "ASTRO_TELEMETRY_DISABLED=1",
		"NUXT_TELEMETRY_DISABLED=1", "CI=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return string(out)
}

// copyFS copies a project without what was installed.
func copyFS(to string, from fs.FS) error {
	return fs.WalkDir(from, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, path), 0o755)
		}
		data, err := fs.ReadFile(from, path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), data, 0o644)
	})
}

// imagesIn returns the contents of the meta elements of a page by name.
func imagesIn(t *testing.T, page []byte) map[string][]string {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string][]string{}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "meta" {
			name := attribute(n, "property") + attribute(n, "name")
			named[name] = append(named[name], attribute(n, "content"))
		}
	}
	return named
}

// TestProjects_wordPress runs the snippet with PHP, among the functions of WordPress that it calls.
func TestProjects_wordPress(t *testing.T) {
	v := values(card.OG, hostile)
	s, err := snippets.Find("wordpress", v)
	if err != nil {
		t.Fatal(err)
	}
	program := `<?php
function add_action( $name, $f ) { if ( $name === 'wp_head' ) $f(); }
function is_singular() { return true; }
function get_permalink() { return '` + page + `'; }
function esc_url( $u ) { return htmlspecialchars( $u ); }
` + s.Code
	file := filepath.Join(t.TempDir(), "functions.php")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	named := imagesIn(t, []byte(run(t, filepath.Dir(file), "php", file)))
	if len(named["og:image"]) != 1 {
		t.Fatalf("the page names %v", named)
	}
	wantAddress(t, v, page, named["og:image"][0])
}

// TestProjects_programs runs the programs against a server that checks the request.
func TestProjects_programs(t *testing.T) {
	var body []byte
	key := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		_, _ = b.ReadFrom(r.Body)
		body, key = b.Bytes(), r.Header.Get("Authorization")
		_ = json.NewEncoder(w).Encode(map[string]string{"publicUrl": "https://cards.example/og/x"})
	}))
	t.Cleanup(server.Close)
	t.Setenv("MASTHEAD_KEY", "og_live_x")
	v := values(card.OG, strings.ReplaceAll(hostile, "\x00", ""))
	v.Base = server.URL
	for name, of := range map[string]struct {
		file    string
		command []string
	}{
		"curl": {"draw.sh", []string{"sh"}}, "go": {"main.go", []string{"go", "run"}}, "typescript": {"draw.mjs", []string{"node"}},
	} {
		s, err := snippets.Find(name, v)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), of.file)
		if err := os.WriteFile(file, []byte(s.Code), 0o600); err != nil {
			t.Fatal(err)
		}
		out := run(t, filepath.Dir(file), append(of.command, file)...)
		if !strings.Contains(out, "https://cards.example/og/x") || key != "Bearer og_live_x" {
			t.Errorf("%s printed %q and sent the key %q", name, out, key)
		}
		wantBody(t, v, string(body))
		body, key = nil, ""
	}
}
