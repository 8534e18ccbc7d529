package server

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
)

// This file sends pictures that are at hand, with nothing between the connection and them: no router, no validation of
// what has no parameters but the address, no context, no copy. Whatever is not at hand, or asked for in an unusual way,
// goes the way of all other requests, which gives the same response but for the time.

// Pictures finds the pictures of GET /cdn and GET /og that can be sent at once.
type Pictures interface {
	// KeptFile finds the picture at a /cdn address, and KeptImage the present one of an image, or of a page for a project,
	// which the query names. ok is false for what is not at hand. Shown is told of each that KeptImage found and that was
	// sent.
	KeptFile(name blob.Name, ifNoneMatch string) (k blob.Kept, ok bool)
	KeptImage(publicID, query, ifNoneMatch string) (k blob.Kept, ok bool)
	Shown(k blob.Kept)
}

// The operations that send pictures, as the document calls them.
const (
	fileOperation   = "getFile"
	publicOperation = publicImage
)

// ways is set by the linker alone, for `bench serving`: "handler" has every picture take the way of all other requests,
// and "kept" has net/http write those that are at hand. Each way sends the same; a faster one is worth its code from a
// quarter more requests on (docs/serving.md).
var ways string

const ifNoneMatch = "If-None-Match"

// serveKept answers a request whose picture is at hand. Any other is left, as the request that is returned: nil when it
// was answered.
func (s *Server) serveKept(w http.ResponseWriter, r *http.Request) (left *http.Request) {
	if s.deps.Pictures == nil || s.ways == "handler" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return r
	}
	path := strings.TrimPrefix(r.URL.Path, "/api")
	isFile := strings.HasPrefix(path, "/cdn/")
	if !isFile && !strings.HasPrefix(path, "/og/") || r.URL.RawPath != "" ||
		isFile && r.URL.RawQuery != "" || r.Context().Value(spareKey{}) != nil {
		return r
	}
	began := time.Now()
	var k blob.Kept
	var ok bool
	operation := publicOperation
	if isFile {
		operation = fileOperation
		digest, file, _ := strings.Cut(path[len("/cdn/"):], "/")
		k, ok = s.deps.Pictures.KeptFile(blob.Name{Digest: digest, File: file}, r.Header.Get(ifNoneMatch))
	} else {
		k, ok = s.deps.Pictures.KeptImage(path[len("/og/"):], r.URL.RawQuery, r.Header.Get(ifNoneMatch))
	}
	if !ok {
		return r
	}
	told, of := s.count(r, operation, k)
	if told.Reached {
		k.Close()
		return r.WithContext(context.WithValue(r.Context(), refusedKey{}, refused{told, of}))
	}
	if !isFile {
		s.deps.Pictures.Shown(k)
	}
	var ignored string
	if !isFile {
		ignored = s.publicNames.unknownIn(r.URL.RawQuery)
	}
	answer := describe(k, told, ignored)
	c := rawConn(r, k)
	if s.ways != "" {
		c = nil
	}
	var sent int64
	if c != nil {
		sent = answer.sendRaw(c)
	} else {
		sent = answer.send(w, r)
	}
	took := time.Since(began)
	s.metrics.kept[operation][answer.status == http.StatusOK].Observe(took.Seconds())
	if logger := slog.Default(); logger.Enabled(context.Background(), slog.LevelInfo) {
		logRequest(r.Context(), slog.LevelInfo, r, answered{
			status: answer.status, bytes: sent, took: took, id: answer.id, address: s.proxies.clientOf(r),
		})
	}
	return nil
}

// refused is a request that was counted and is one too many.
type refused struct {
	told limit.Result
	of   cause
}

// refusedKey is the key of a refused in the context of a request that the chain is to answer.
type refusedKey struct{}

// count counts a request as the buckets of the two operations do.
func (s *Server) count(r *http.Request, operation string, k blob.Kept) (told limit.Result, of cause) {
	network := identity.Caller{Address: s.proxies.clientOf(r)}.Network()
	told = s.rates.breaker.Take(network)
	if told.Reached || operation == fileOperation || s.rates.isCrawler(r.UserAgent()) {
		return told, byBreaker
	}
	most := s.rates.plans.RequestsPerMinute(s.rates.plans.OfOwner(r.Context(), k.OwnerID))
	told, err := s.rates.public.Take(r.Context(), network+" "+k.ProjectID, most)
	if err != nil {
		told.Reached = true // the counting has no faults
	}
	return told, ofAddress
}
