// Package fakeai is a small AI provider of the OpenAI wire format for development, tests and the demo. It draws
// plausible backgrounds itself, the same for the same prompt, and fails in every way that a real one does, on demand.
//
//	POST /v1/images/generations   a picture of prompt, in size; b64_json, or url with response_format "url"
//	POST /v1/chat/completions     a text that satisfies a JSON schema, about the JSON in the last message
//	POST /fault?name=N&count=C    the next C answers fail as N says (a [Fault]); without count all, until name is none
//	GET  /pictures/{id}           the pictures that were given by their address
//
// A prompt, or a last message, with the words "fault:N" fails in that way too, whatever else is set.
package fakeai

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image/jpeg"
	"image/png"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Models of a fake, whose names choose the way that pictures are asked for.
const (
	ModelStandard = "fake-standard"
	ModelPro      = "fake-pro"
	ModelText     = "fake-text"
)

// Config is how a fake behaves. The zero value answers at once with pictures of the size that is asked for.
type Config struct {
	// Delay is the time that each picture or text takes.
	Delay time.Duration
	// Size, if not zero, is that of all pictures, whatever is asked for: small ones are drawn sooner.
	Size Size
	// Fault is what goes wrong with each picture and text until it is set otherwise.
	Fault Fault
}

// Size is that of a picture in pixels.
type Size struct{ Width, Height int }

// Server is a provider. It is an [http.Handler], safe for concurrent use; [Open] serves one.
type Server struct {
	cfg   Config
	mux   *http.ServeMux
	given *lru.Cache[string, []byte] // pictures given by their address, by id

	mu     sync.Mutex
	fault  Fault
	left   int // answers that fail before all is well again; less than 0 for all
	asked  int
	prompt string
	texts  []Chat
}

// New returns a provider.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg, mux: http.NewServeMux()}
	var err error
	if s.given, err = lru.New[string, []byte](16); err != nil {
		panic(err) // of a size that is no size
	}
	s.Fail(cfg.Fault, -1)
	s.mux.HandleFunc("POST /v1/images/generations", s.generate)
	s.mux.HandleFunc("POST /v1/chat/completions", s.chat)
	s.mux.HandleFunc("POST /fault", s.setFault)
	s.mux.HandleFunc("GET /pictures/{id}", s.picture)
	return s
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Fail makes the next answers fail, count of them; with a count below 0 all, until it is called again.
func (s *Server) Fail(fault Fault, count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.left = fault, count
}

// Asked returns how many pictures were asked for, the ones that failed included, and the prompt of the last.
func (s *Server) Asked() (count int, lastPrompt string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked, s.prompt
}

// next counts a request for a picture and says what goes wrong with it.
func (s *Server) next(prompt string) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	s.prompt = prompt
	return s.faultOf(prompt)
}

// faultOf says what goes wrong with a prompt. The lock is held.
func (s *Server) faultOf(prompt string) Fault {
	if fault, ok := faultIn(prompt); ok {
		return fault
	}
	if s.left == 0 {
		return None
	}
	s.left--
	return s.fault
}

func (s *Server) setFault(w http.ResponseWriter, r *http.Request) {
	fault, err := ParseFault(r.FormValue("name"))
	count := -1
	if text := r.FormValue("count"); text != "" && err == nil {
		count, err = strconv.Atoi(text)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.Fail(fault, count)
	w.WriteHeader(http.StatusNoContent)
}

// generation is the body of a request for a picture, and what of it this provider heeds.
type generation struct {
	Prompt         string `json:"prompt"`
	Size           string `json:"size"`
	ResponseFormat string `json:"response_format"`
	OutputFormat   string `json:"output_format"`
}

// maxBody is the greatest length of a request in bytes.
const maxBody = 64 << 10

func (s *Server) generate(w http.ResponseWriter, r *http.Request) {
	var asked generation
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&asked); err != nil || asked.Prompt == "" {
		refuse(w, http.StatusBadRequest, "invalid_request_error", "", "The body must be JSON with a prompt.")
		return
	}
	fault := s.next(asked.Prompt)
	if !sleep(r.Context(), s.cfg.Delay) || s.fail(w, r, fault) {
		return
	}
	if fault == Strict && asked.ResponseFormat != "" {
		refuse(w, http.StatusBadRequest, "unknown_parameter", "response_format", "Unknown parameter: 'response_format'.")
		return
	}
	file, err := s.draw(asked)
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error", "size", err.Error())
		return
	}
	inner := map[string]string{"b64_json": base64.StdEncoding.EncodeToString(file)}
	if asked.ResponseFormat == "url" || fault == ByAddress {
		sum := sha256.Sum256(file)
		id := hex.EncodeToString(sum[:16])
		s.given.Add(id, file)
		inner = map[string]string{"url": "http://" + r.Host + "/pictures/" + id}
	}
	if fault == Garbled {
		inner["b64_json"] = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("no picture "), 100))
	}
	body, err := json.Marshal(map[string]any{"created": time.Now().Unix(), "data": []any{inner}})
	if err != nil {
		panic(err) // of numbers and texts
	}
	if fault == Cut {
		cut(w, body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // the client left; there is nobody to tell
}

// draw draws the picture and encodes it.
func (s *Server) draw(asked generation) ([]byte, error) {
	size := s.cfg.Size
	if size == (Size{}) {
		var err error
		if size, err = parseSize(asked.Size); err != nil {
			return nil, err
		}
	}
	img := Draw(asked.Prompt, size.Width, size.Height)
	var file bytes.Buffer
	if asked.OutputFormat == "jpeg" {
		err := jpeg.Encode(&file, img, &jpeg.Options{Quality: 94})
		return file.Bytes(), err
	}
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, img)
	return file.Bytes(), err
}

// The sides of pictures, in pixels.
const (
	minSide = 64
	maxSide = 2048
)

// parseSize reads a size such as "1536x1024", which it is when none is given.
func parseSize(text string) (Size, error) {
	if text == "" || text == "auto" {
		return Size{1536, 1024}, nil
	}
	width, height, _ := strings.Cut(text, "x")
	w, err := strconv.Atoi(width)
	h, err2 := strconv.Atoi(height)
	if errors.Join(err, err2) != nil || min(w, h) < minSide || max(w, h) > maxSide {
		return Size{}, fmt.Errorf("size must be such as 1536x1024, with sides from %d to %d", minSide, maxSide)
	}
	return Size{w, h}, nil
}

func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	file, ok := s.given.Get(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", http.DetectContentType(file))
	_, _ = w.Write(file) //nolint:gosec // G705: a picture that it drew itself; the error is that the client left
}

// sleep waits for d; it is false when the context ended before.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Running is a provider that is served.
type Running struct {
	*Server
	// BaseURL is what the service is configured with, FaultURL where faults are set.
	BaseURL, FaultURL string

	server *http.Server
}

// Open serves a provider on an address such as 127.0.0.1:0. It must be closed.
func Open(ctx context.Context, addr string, cfg Config) (*Running, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("serve the fake AI provider: %w", err)
	}
	s, base := New(cfg), "http://"+listener.Addr().String()
	r := &Running{
		Server: s, BaseURL: base + "/v1", FaultURL: base + "/fault",
		server: &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second},
	}
	go func() {
		if err := r.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("fake AI provider ended", "err", err)
		}
	}()
	return r, nil
}

// Close ends the provider at once, and with it what it is just answering: clients see their connections cut.
func (r *Running) Close() error { return r.server.Close() }
