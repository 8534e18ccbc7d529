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
	to, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		// The Host header is signed.
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host },
		ModifyResponse: func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(change(body)))
			return err
		},
	})
	t.Cleanup(proxy.Close)
	return proxy.URL
}
