package s3_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/blob/blobtest"
	"masthead/pkg/blob/s3"
	"masthead/pkg/blob/s3/s3test"
)

var name = blob.Name{Digest: strings.Repeat("ab", 32), File: "og.png"}

func open(t *testing.T, cfg s3.Config) *s3.Store {
	t.Helper()
	store, err := s3.Open(cfg, "cdn")
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// raw returns a client of the server, which can do what the store doesn't.
func raw(t *testing.T, cfg s3.Config) *minio.Client {
	t.Helper()
	client, err := minio.New(strings.TrimPrefix(cfg.Endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, ""), Region: cfg.Region,
		BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestStore_conforms(t *testing.T) {
	t.Parallel()
	if _, ok := s3test.Bucket(t); !ok {
		return
	}
	blobtest.Run(t, func(t *testing.T) blob.Store {
		cfg, _ := s3test.Bucket(t)
		return open(t, cfg)
	})
}

// TestStore_objectsAreServedAsTheyAre reads an object without the store, as a CDN in front of the bucket does.
func TestStore_objectsAreServedAsTheyAre(t *testing.T) {
	t.Parallel()
	cfg, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	if err := open(t, cfg).Put(t.Context(), name, []byte("picture")); err != nil {
		t.Fatal(err)
	}
	link, err := raw(t, cfg).PresignedGetObject(t.Context(), cfg.Bucket, "cdn/"+name.Digest+"/og.png", time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(link.String())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || string(body) != "picture" || response.Header.Get("Content-Type") != "image/png" ||
		response.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("got %q, %v with %v", body, err, response.Header)
	}
}

// TestStore_damagedObject replaces an object behind the store's back, which the next Put repairs.
func TestStore_damagedObject(t *testing.T) {
	t.Parallel()
	cfg, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	store := open(t, cfg)
	for range 2 {
		if err := store.Put(t.Context(), name, []byte("picture")); err != nil {
			t.Fatal(err)
		}
		if got, err := store.Get(t.Context(), name); err != nil || string(got) != "picture" {
			t.Fatalf("got %q, %v", got, err)
		}
		if _, err := raw(t, cfg).PutObject(t.Context(), cfg.Bucket, "cdn/"+name.Digest+"/og.png",
			strings.NewReader("pXcture"), 7, minio.PutObjectOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGet_contentDiffersFromItsChecksum changes content on its way.
func TestGet_contentDiffersFromItsChecksum(t *testing.T) {
	t.Parallel()
	cfg, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	changing := s3test.Proxy(t, cfg.Endpoint, func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte("picture"), []byte("pXcture"))
	})
	direct := open(t, cfg)
	cfg.Endpoint = changing
	if err := direct.Put(t.Context(), name, []byte("picture")); err != nil {
		t.Fatal(err)
	}
	if got, err := open(t, cfg).Get(t.Context(), name); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("got %q, %v, want it damaged", got, err)
	}
	if got, err := direct.Get(t.Context(), name); err != nil || string(got) != "picture" {
		t.Errorf("got %q, %v, want the picture", got, err)
	}
}

// TestStore_silentServer calls one that accepts connections and says nothing: calls end, and then the breaker refuses
// them at once.
func TestStore_silentServer(t *testing.T) {
	t.Parallel()
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	store := open(t, s3.Config{
		Endpoint: "http://" + silent.Addr().String(), Bucket: "pictures", Region: "us-east-1", AccessKey: "a", SecretKey: "b",
	})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var last error
	for range 20 { // the first five wait for ctx, and the breaker refuses the rest
		_, last = store.Get(ctx, name)
		if apperr.CodeOf(last) != apperr.Unavailable {
			t.Fatalf("got %v, want UNAVAILABLE", last)
		}
	}
	if err := store.Room(t.Context()); apperr.CodeOf(err) != apperr.Unavailable {
		t.Errorf("while the breaker is open: got %v, want no room", err)
	}
}

func TestConfig_Validate(t *testing.T) {
	t.Parallel()
	valid := s3.Config{
		Endpoint: "https://s3.example.com", Bucket: "pictures", Region: "eu-central-1", AccessKey: "a", SecretKey: "b",
		Lookup: "path",
	}
	for want, change := range map[string]func(*s3.Config){
		"":                                    func(*s3.Config) {},
		"MASTHEAD_S3_BUCKET":                  func(c *s3.Config) { c.Bucket = "My Bucket" },
		"MASTHEAD_S3_ENDPOINT":                func(c *s3.Config) { c.Endpoint = "s3.example.com" },
		"MASTHEAD_S3_ENDPOINT is missing":     func(c *s3.Config) { c.Endpoint = "" },
		"without a path":                      func(c *s3.Config) { c.Endpoint += "/pictures" },
		"MASTHEAD_S3_SECRET_KEY are required": func(c *s3.Config) { c.SecretKey = "" },
		"MASTHEAD_S3_LOOKUP":                  func(c *s3.Config) { c.Lookup = "dns" },
	} {
		cfg := valid
		change(&cfg)
		err := cfg.Validate()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := (s3.Config{Region: "us-east-1"}).Validate(); err != nil {
		t.Errorf("nothing is configured: got %v", err)
	}
}
