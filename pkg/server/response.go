package server

import (
	"io"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"masthead/pkg/blob"
	"masthead/pkg/limit"
)

// This file describes the response for a picture, its status and headers, for all ways of sending it.

// response is the response for a cached picture.
type response struct {
	status  int
	id      string // of the request
	kept    blob.Response
	limit   limit.Result
	ignored string // the parameters without effect
}

// describe returns the response for a picture.
func describe(k blob.Response, result limit.Result, ignored string) *response {
	r := &response{
		status: http.StatusOK, id: uuid.Must(uuid.NewV7()).String(), kept: k, limit: result, ignored: ignored,
	}
	if k.NotModified {
		r.status = http.StatusNotModified
	}
	return r
}

// field is a header and its value.
type field struct{ name, value string }

// Headers of all pictures; the middleware of the regular path sets the same. See readByAll and pictureHeaders.
var (
	publicFields = []field{
		{"Access-Control-Allow-Origin", "*"}, {"Access-Control-Expose-Headers", exposedToAll},
	}
	pictureFields = []field{
		{"Content-Security-Policy", picturePolicy}, {"Cross-Origin-Resource-Policy", "cross-origin"},
		{"X-Content-Type-Options", "nosniff"},
	}
)

func setFields(h http.Header, fields []field) {
	for _, f := range fields {
		h[f.name] = []string{f.value}
	}
}

// fields appends the headers to all: those of all pictures, and those of this one.
func (r *response) fields(all []field) []field {
	all = append(append(all, publicFields...), pictureFields...)
	all = append(all, field{"Cache-Control", r.kept.CacheControl[0]}, field{"Etag", r.kept.ETag[0]},
		field{limitHeader, strconv.FormatInt(r.limit.Limit, 10)},
		field{remainingHeader, strconv.FormatInt(r.limit.Remaining, 10)},
		field{resetHeader, strconv.FormatInt(resetOf(r.limit), 10)}, field{"X-Request-Id", r.id})
	if r.ignored != "" {
		all = append(all, field{ignoredHeader, r.ignored})
	}
	if r.status == http.StatusOK {
		all = append(all, field{"Content-Type", r.kept.ContentType[0]},
			field{"Content-Length", strconv.FormatInt(r.kept.Size, 10)})
	}
	return all
}

// maxHeaders is the maximum number of headers of a picture.
const maxHeaders = 16

// send sends the response through net/http, and returns how many bytes of the picture were sent.
func (r *response) send(w http.ResponseWriter, request *http.Request) (sent int64) {
	defer r.kept.Close()
	var room [maxHeaders]field
	setFields(w.Header(), r.fields(room[:0]))
	w.WriteHeader(r.status)
	switch {
	case r.status != http.StatusOK, request.Method == http.MethodHead:
	case r.kept.File != nil:
		sent, _ = io.CopyN(w, r.kept.File, r.kept.Size) // the client has left, or the file has shrunk: the connection ends
	default:
		n, _ := w.Write(r.kept.Bytes) //nolint:gosec // G705: our own picture; an error is a client that left
		sent = int64(n)
	}
	return sent
}
