// Package s3test gives tests a bucket on a real S3-compatible server.
package s3test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"masthead/pkg/blob/s3"
	"masthead/pkg/testenv"
)

// Keys of the server of tests, which .ci/run gives it.
const (
	accessKey = "masthead"
	secretKey = "masthead-secret"
	region    = "us-east-1"
)

var buckets atomic.Int64

// Bucket returns the settings of a new bucket, which is removed when the test ends; ok is false where there is no
// server.
func Bucket(t testing.TB) (cfg s3.Config, ok bool) {
	t.Helper()
	endpoint, ok := testenv.S3(t)
	if !ok {
		return cfg, false
	}
	client, err := minio.New(strings.TrimPrefix(endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(accessKey, secretKey, ""), Region: region, BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	bucket := "test-" + strconv.FormatInt(time.Now().UnixNano(), 36) + "-" + strconv.FormatInt(buckets.Add(1), 36)
	if err := client.MakeBucket(t.Context(), bucket, minio.MakeBucketOptions{Region: region}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		for o := range client.ListObjectsIter(ctx, bucket, minio.ListObjectsOptions{Recursive: true}) {
			_ = client.RemoveObject(ctx, bucket, o.Key, minio.RemoveObjectOptions{})
		}
		if err := client.RemoveBucket(ctx, bucket); err != nil {
			t.Errorf("remove the bucket: %v", err)
		}
	})
	return s3.Config{Endpoint: endpoint, Bucket: bucket, Region: region, AccessKey: accessKey, SecretKey: secretKey}, true
}

// Proxy returns the address of a server in front of endpoint that changes the bodies of responses.
func Proxy(t testing.TB, endpoint string, change func(body []byte) []byte) string {
	t.Helper()
	proxy := forwarding(t, endpoint)
	proxy.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(change(body)))
		return err
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL
}

// Between returns the address of a server in front of endpoint that shows each request to see, which may change it. If
// see returns another status than 0, that is the response, and endpoint gets no request.
func Between(t testing.TB, endpoint string, see func(r *http.Request) (status int)) string {
	t.Helper()
	proxy := forwarding(t, endpoint)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := see(r); status != 0 {
			w.WriteHeader(status)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// forwarding returns a proxy in front of endpoint. The Host header, which is signed, stays.
func forwarding(t testing.TB, endpoint string) *httputil.ReverseProxy {
	t.Helper()
	to, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host },
	}
}
