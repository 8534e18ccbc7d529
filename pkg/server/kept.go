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

// This file sends pictures that are in memory or open, with nothing in between: no router, no validation (only the
// address has parameters), no context, no copy. Everything else, and unusual requests, take the regular path, which
// gives the same response but for the time.

// Pictures finds the pictures of GET /cdn and GET /og that can be sent immediately.
type Pictures interface {
	// KeptFile finds the picture at a /cdn address. KeptImage finds the current one of an image, or of a page for a
	// project, which the query names. ok is false if it isn't cached. Shown is called for each picture of KeptImage that
	// was sent.
	KeptFile(name blob.Name, ifNoneMatch string) (k blob.Response, ok bool)
	KeptImage(publicID, query, ifNoneMatch, agent string) (k blob.Response, ok bool)
	Shown(k blob.Response)
}

// The operations that send pictures, as named in the document.
const (
	fileOperation   = "getFile"
	publicOperation = publicImage
)

// ways is set only by the linker, for `bench serving`: with "handler" every picture takes the regular path, and with
// "kept" net/http writes the cached ones. All give the same response; a faster path is worth its code from 25 % more
// requests on (docs/serving.md).
var ways string

const ifNoneMatch = "If-None-Match"

// serveKept answers a request whose picture is cached. It returns any other request for the regular path, and nil if it
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
	var k blob.Response
	var ok bool
	operation := publicOperation
	if isFile {
		operation = fileOperation
		digest, file, _ := strings.Cut(path[len("/cdn/"):], "/")
		k, ok = s.deps.Pictures.KeptFile(blob.Name{Digest: digest, File: file}, r.Header.Get(ifNoneMatch))
	} else {
		k, ok = s.deps.Pictures.KeptImage(path[len("/og/"):], r.URL.RawQuery, r.Header.Get(ifNoneMatch), r.UserAgent())
	}
	if !ok {
		return r
	}
	result, of := s.count(r, operation, k)
	if result.Reached {
		k.Close()
		return r.WithContext(context.WithValue(r.Context(), overLimitKey{}, overLimit{result, of}))
	}
	if !isFile {
		s.deps.Pictures.Shown(k)
	}
	var ignored string
	if !isFile {
		ignored = s.publicNames.unknownIn(r.URL.RawQuery)
	}
	answer := describe(k, result, ignored)
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
		logRequest(r.Context(), slog.LevelInfo, r, outcome{
			status: answer.status, bytes: sent, took: took, id: answer.id, address: s.proxies.clientOf(r),
		})
	}
	return nil
}

// overLimit is a request that was counted and exceeds a limit.
type overLimit struct {
	result limit.Result
	of     cause
}

// overLimitKey is the context key of the overLimit of a request on the regular path.
type overLimitKey struct{}

// count counts a request in the buckets of the two operations.
func (s *Server) count(r *http.Request, operation string, k blob.Response) (result limit.Result, of cause) {
	network := identity.Caller{Address: s.proxies.clientOf(r)}.Network()
	result = s.rates.breaker.Take(network)
	if result.Reached || operation == fileOperation || s.rates.isCrawler(r.UserAgent()) {
		return result, byBreaker
	}
	most := s.rates.plans.RequestsPerMinute(s.rates.plans.OfOwner(r.Context(), k.OwnerID))
	result, err := s.rates.public.Take(r.Context(), network+" "+k.ProjectID, most)
	if err != nil {
		result.Reached = true // counting itself never fails
	}
	return result, ofAddress
}
