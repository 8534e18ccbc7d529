package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"sync/atomic"
	"time"
)

// Owner is an account with one project and its key.
type Owner struct{ Email, Project, Key string }

var printedKey = regexp.MustCompile(`Project .*: ([0-9a-f-]{36})\nKey, shown (?:only|this) once: (\S+)`)

// Owner makes an account by the command line, as an operator does, before the process starts or beside it.
func (n *Node) Owner(ctx context.Context, email string) (Owner, error) {
	if _, err := n.Run(ctx, "admin", "create", email); err != nil {
		return Owner{}, err
	}
	out, err := n.Run(ctx, "key", "create", "--project", "Measured", "--owner", email)
	if err != nil {
		return Owner{}, err
	}
	m := printedKey.FindStringSubmatch(out)
	if m == nil {
		return Owner{}, fmt.Errorf("no project and key in %q", out)
	}
	return Owner{email, m[1], m[2]}, nil
}

// Image is what the answer to a generate says that matters here.
type Image struct {
	ID       string `json:"id"`
	PublicID string `json:"publicId"`
	ImageURL string `json:"imageUrl"`
	Cached   bool   `json:"cached"`
}

// CDNPath is the path of the picture's file.
func (i Image) CDNPath() (string, error) {
	u, err := url.Parse(i.ImageURL)
	if err != nil {
		return "", err
	}
	return u.Path, nil
}

// OGPath is the public path of the image.
func (i Image) OGPath() string { return "/og/" + i.PublicID }

// NewClient returns a client that keeps its connections, and of which each answer comes whole within a time.
// Its connections come from addresses of loopback in turns, if any are given.
func NewClient(timeout time.Duration, from ...string) *http.Client {
	transport := &http.Transport{MaxIdleConns: 4096, MaxIdleConnsPerHost: 4096, DisableCompression: true}
	if len(from) > 0 {
		var dialled atomic.Int64
		transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			local := net.ParseIP(from[int(dialled.Add(1))%len(from)])
			return (&net.Dialer{LocalAddr: &net.TCPAddr{IP: local}}).DialContext(ctx, network, address)
		}
	}
	return &http.Client{Timeout: timeout, Transport: transport}
}

// Generate returns a request for the image of a page.
func (n *Node) Generate(ctx context.Context, o Owner, page string) (*http.Request, error) {
	return n.GenerateWith(ctx, o, page, nil)
}

// GenerateWith is like Generate, with further fields of the body.
func (n *Node) GenerateWith(ctx context.Context, o Owner, page string, with map[string]any) (*http.Request, error) {
	fields := map[string]any{"url": page, "projectId": o.Project}
	maps.Copy(fields, with)
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, n.Base+"/images/generate", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+o.Key)
	r.Header.Set("Content-Type", "application/json")
	return r, nil
}

// Get returns a request for a path.
func (n *Node) Get(ctx context.Context, path string) (*http.Request, error) {
	return http.NewRequestWithContext(ctx, http.MethodGet, n.Base+path, nil)
}

// Draw asks for the image of a page and reads the answer.
func (n *Node) Draw(ctx context.Context, client *http.Client, o Owner, page string) (Image, error) {
	var i Image
	r, err := n.Generate(ctx, o, page)
	if err != nil {
		return i, err
	}
	body, err := Ask(client, r)
	if err != nil {
		return i, err
	}
	return i, json.Unmarshal(body, &i)
}

// Ask sends a request and returns the body of a 200; any other answer is an error.
func Ask(client *http.Client, r *http.Request) (body []byte, err error) {
	answer, err := client.Do(r) //nolint:gosec // the program that we started
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	body, err = io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: got %s, %.300s", r.Method, r.URL.Path, answer.Status, body)
	}
	return body, err
}
