// Package s3 stores pictures in a bucket of an S3-compatible server, which all nodes share.
//
// The object of a picture is FOLDER/{digest}/{name}. The folder of images is cdn, so that the paths in the bucket are
// those of GET /cdn/{digest}/{name}: a CDN may serve them from the bucket. Objects have the Content-Type and
// Cache-Control of that operation.
//
// Writes are conditional: an object that exists is not written again, unless its content differs, as that of a
// damaged one does. Each object has its SHA-256, which the server compares when it is written, and we when it is read.
//
// Every call ends within seconds. After several failures in a row, a breaker refuses calls at once, and tries again
// every second.
package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/sony/gobreaker/v2"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/tracing"
)

// Limits of calls.
const (
	dialTime   = 2 * time.Second
	headerTime = 2 * time.Second // until the response starts
	tries      = 2               // of one call, for errors of the network and of the server
	readTime   = 4 * time.Second // with all tries, and forMegabyte of the object
	writeTime  = 4 * time.Second // likewise
	probeTime  = 2 * time.Second // while the breaker is about to close
	// forMegabyte more may a call take for each MB: uploads and parts of exports have some, and links may be slow.
	forMegabyte = time.Second
	listTime    = time.Minute
	// conflictPause, and twice as long, is between tries of a write that others make at the same time.
	conflictPause = 50 * time.Millisecond
	// openAfter failures in a row the breaker opens, for openTime.
	openAfter = 5
	openTime  = time.Second
	// maxObject is the largest object that is read: more than any picture has.
	maxObject = 64 << 20
	idleConns = 64
)

// checksumHeader has the SHA-256 of an object, in base64. It is sent as such: with the options of minio-go, some
// servers compare nothing, and others refuse the object. Source:
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
const checksumHeader = "x-amz-checksum-sha256"

// cacheControl is that of GET /cdn: an object's content never changes.
const cacheControl = "public, max-age=31536000, immutable"

// Store is a [blob.Store] in a bucket.
type Store struct {
	core    minio.Core
	bucket  string
	folder  string
	breaker interface { // gobreaker.CircuitBreaker, see package cache
		State() gobreaker.State
		Execute(req func() (any, error)) (any, error)
	}
	metrics *metrics
}

// Open returns the store in the folder of cfg's bucket. It connects to nothing.
func Open(cfg Config, folder string) (*Store, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	u, err := url.Parse(cfg.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("MASTHEAD_S3_ENDPOINT: %w", err)
	}
	lookup := minio.BucketLookupPath
	if cfg.Lookup == lookupHost {
		lookup = minio.BucketLookupDNS
	}
	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, ""),
		Secure: u.Scheme == "https", Region: cfg.Region, BucketLookup: lookup, MaxRetries: tries,
		TrailingHeaders: true, // without it, the checksum isn't accepted
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: dialTime}).DialContext, //nolint:forbidigo // the operator's
			TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: headerTime, IdleConnTimeout: time.Minute,
			MaxIdleConns: idleConns, MaxIdleConnsPerHost: idleConns, DisableCompression: true,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("open the S3 store: %w", err)
	}
	return &Store{
		core: *core, bucket: cfg.Bucket, folder: folder, metrics: newMetrics(folder),
		breaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
			Name: "s3", Timeout: openTime, IsSuccessful: harmless,
			ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= openAfter },
		}),
	}, nil
}

// harmless reports whether err says nothing about the server's health.
func harmless(err error) bool {
	return err == nil || errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrDamaged) ||
		errors.Is(err, context.Canceled)
}

func (s *Store) key(n blob.Name) string { return s.folder + "/" + n.Digest + "/" + n.File }

// call calls the server through the breaker, and names what was done in errors.
func (s *Store) call(
	ctx context.Context, operation string, limit time.Duration, do func(ctx context.Context) error,
) (err error) {
	ctx, span := tracing.Start(ctx, "store "+operation)
	defer func() { span.End(err) }()
	if s.breaker.State() == gobreaker.StateHalfOpen { // others are refused until it ends
		limit = min(limit, probeTime)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	_, err = s.breaker.Execute(func() (any, error) { return nil, translate(do(ctx)) })
	s.metrics.observe(operation, err, time.Since(began))
	if err == nil || harmless(err) {
		return err
	}
	away := apperr.Wrap(apperr.Unavailable, "The picture store is not available. Try again in a few seconds.",
		fmt.Errorf("store %s: %w", operation, err))
	away.RetryAfter = 2 * openTime
	return away
}

// translate turns the server's error for a missing object into [blob.ErrNotFound].
func translate(err error) error {
	var refused minio.ErrorResponse
	if errors.As(err, &refused) && refused.Code == minio.NoSuchKey {
		return blob.ErrNotFound
	}
	return err
}

// Put implements [blob.Store].
func (s *Store) Put(ctx context.Context, n blob.Name, data []byte) error {
	if !n.Valid() {
		return n.Refused()
	}
	sum := sha256.Sum256(data)
	checksum := base64.StdEncoding.EncodeToString(sum[:])
	limit := writeTime + time.Duration(len(data)>>20)*forMegabyte
	return s.call(ctx, "put", limit, func(ctx context.Context) error {
		put := func(create bool) error {
			o := minio.PutObjectOptions{
				ContentType: n.ContentType(), CacheControl: cacheControl, DisableMultipart: true,
				UserMetadata: map[string]string{checksumHeader: checksum},
			}
			if create {
				o.SetMatchETagExcept("*")
			}
			_, err := s.core.PutObject(ctx, s.bucket, s.key(n), bytes.NewReader(data), int64(len(data)), "",
				hex.EncodeToString(sum[:]), o)
			return err
		}
		err := put(true)
		for try := range tries {
			if !exists(err) {
				return err
			}
			there, failed := s.core.StatObject(ctx, s.bucket, s.key(n), minio.StatObjectOptions{Checksum: true})
			if failed == nil && there.ChecksumSHA256 == checksum && there.Size == int64(len(data)) {
				return nil
			}
			// It is damaged, or others write or delete it at this moment.
			if err = put(false); exists(err) {
				pause(ctx, time.Duration(try)*conflictPause)
			}
		}
		return err
	})
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// exists reports whether a conditional write failed since there is such an object, or since another one wrote it at the
// same time.
func exists(err error) bool {
	status := minio.ToErrorResponse(err).StatusCode
	return status == http.StatusPreconditionFailed || status == http.StatusConflict
}

// Get implements [blob.Store].
func (s *Store) Get(ctx context.Context, n blob.Name) (data []byte, err error) {
	if !n.Valid() {
		return nil, blob.ErrNotFound
	}
	err = s.call(ctx, "get", readTime+maxObject>>20*forMegabyte, func(ctx context.Context) (err error) {
		data, err = s.read(ctx, s.key(n))
		return err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// read reads an object within the time for its size, and compares its checksum, if the server has one.
func (s *Store) read(ctx context.Context, key string) (data []byte, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	end := time.Now().Add(readTime)
	limit := time.AfterFunc(readTime, func() { cancel(context.DeadlineExceeded) })
	defer limit.Stop()
	defer func() {
		if err != nil && context.Cause(ctx) != nil {
			err = context.Cause(ctx)
		}
	}()
	body, info, header, err := s.core.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{Checksum: true})
	if err != nil {
		return nil, err
	}
	if info.Size > maxObject {
		return nil, errors.Join(fmt.Errorf("%w: it has %d bytes", blob.ErrDamaged, info.Size), body.Close())
	}
	limit.Reset(time.Until(end) + time.Duration(info.Size>>20)*forMegabyte)
	data = make([]byte, max(info.Size, 0))
	_, err = io.ReadFull(body, data)
	if err = errors.Join(err, body.Close()); err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	sum := sha256.Sum256(data)
	if want := header.Get(checksumHeader); want != "" && want != base64.StdEncoding.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("%w: its checksum differs", blob.ErrDamaged)
	}
	return data, nil
}

// Stat implements [blob.Store].
func (s *Store) Stat(ctx context.Context, n blob.Name) (size int64, err error) {
	if !n.Valid() {
		return 0, blob.ErrNotFound
	}
	err = s.call(ctx, "stat", readTime, func(ctx context.Context) error {
		info, err := s.core.StatObject(ctx, s.bucket, s.key(n), minio.StatObjectOptions{})
		size = info.Size
		return err
	})
	return size, err
}

// Delete implements [blob.Store].
func (s *Store) Delete(ctx context.Context, n blob.Name) error {
	if !n.Valid() {
		return nil
	}
	err := s.call(ctx, "delete", writeTime, func(ctx context.Context) error {
		return s.core.RemoveObject(ctx, s.bucket, s.key(n), minio.RemoveObjectOptions{})
	})
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	return err
}

// List implements [blob.Store].
func (s *Store) List(ctx context.Context, prefix string) (names []blob.Name, err error) {
	err = s.call(ctx, "list", listTime, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // ends the listing
		names = nil
		under := minio.ListObjectsOptions{Prefix: s.folder + "/" + prefix, Recursive: true}
		for o := range s.core.Client.ListObjectsIter(ctx, s.bucket, under) {
			if o.Err != nil {
				return o.Err
			}
			digest, file, _ := strings.Cut(strings.TrimPrefix(o.Key, s.folder+"/"), "/")
			if n := (blob.Name{Digest: digest, File: file}); n.Valid() {
				names = append(names, n)
			}
		}
		return ctx.Err()
	})
	return names, err
}

// Remote implements [blob.Remote].
func (s *Store) Remote() {}

// Room implements [blob.Store]: there always is room in a bucket. While the breaker is open, nothing can be written.
func (s *Store) Room(context.Context) error {
	if s.breaker.State() == gobreaker.StateOpen {
		away := apperr.Wrap(apperr.Unavailable, "The picture store is not available. Stored pictures are still served.",
			blob.ErrNoRoom)
		away.RetryAfter = 2 * openTime
		return away
	}
	return nil
}

// Check reports whether the bucket exists and the keys are those of an account that may use it, with a sentence that
// says what to do.
func (s *Store) Check(ctx context.Context) error {
	var exists bool
	err := s.call(ctx, "stat", readTime, func(ctx context.Context) (err error) {
		exists, err = s.core.BucketExists(ctx, s.bucket)
		return err
	})
	var refused minio.ErrorResponse
	switch {
	case errors.As(err, &refused) && refused.StatusCode == http.StatusForbidden:
		return fmt.Errorf("the S3 store refuses MASTHEAD_S3_ACCESS_KEY and MASTHEAD_S3_SECRET_KEY: %w", refused)
	case err != nil:
		return fmt.Errorf("the S3 store at MASTHEAD_S3_ENDPOINT can't be used: %w", err)
	case !exists:
		return fmt.Errorf("there is no bucket %s: create it, or correct MASTHEAD_S3_BUCKET", s.bucket)
	}
	return nil
}
