// Package fakeai is a small AI provider that speaks OpenAI's HTTP API, for development, tests and the demo. It answers
// with gradients, or with the pictures in its configuration, and fails on demand in every way that a real one does.
//
//	POST /v1/images/generations   a picture of the requested size: b64_json, or url with response_format "url"
//	POST /v1/chat/completions     a text that satisfies a JSON schema, about the JSON in the last message
//	POST /fault?name=N&count=C    makes the next C responses fail with N, a [Fault]; without count, all of them
//	GET  /pictures/{id}           the pictures that were returned as a URL
//
// A prompt or last message that contains "fault:N" fails with N, whatever else is set.
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
	"image"
	"image/jpeg"
	"image/png"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/disintegration/imaging"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// The models of the provider.
const (
	ModelStandard = "fake-standard"
	ModelPro      = "fake-pro"
	ModelText     = "fake-text"
)

// Config configures a [Server]. The zero value responds at once with gradients of the requested size.
type Config struct {
	// Delay is how long each picture or text takes.
	Delay time.Duration
	// Size, if not zero, is the size of all pictures, whatever the request says: small ones are faster.
	Size Size
	// Fault is how each picture and text fails until [Server.Fail] is called.
	Fault Fault
	// Picture returns the picture for a prompt, which the server crops and scales to the requested size. If it is nil,
	// pictures are gradients. It must be safe for concurrent use.
	Picture func(prompt string) image.Image
}

// Size is the size of a picture in pixels.
type Size struct{ Width, Height int }

// Server is the provider, an [http.Handler] that is safe for concurrent use. [Open] serves it on an address.
type Server struct {
	cfg  Config
	mux  *http.ServeMux
	byID simplelru.LRUCache[string, []byte] // pictures that were returned as a URL

	mu     sync.Mutex
	fault  Fault
	left   int // responses that still fail; negative: all
	asked  int
	prompt string
	texts  []Chat
}

// New returns a provider.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg, mux: http.NewServeMux()}
	var err error
	if s.byID, err = lru.New[string, []byte](16); err != nil {
		panic(err) // only for a size below 1
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

// Fail makes the next count responses fail; a negative count means all, until Fail is called again.
func (s *Server) Fail(fault Fault, count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.left = fault, count
}

// Asked returns how many pictures were requested, failed ones included, and the prompt of the last request.
func (s *Server) Asked() (count int, lastPrompt string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked, s.prompt
}

// next counts a request for a picture and returns its fault.
func (s *Server) next(prompt string) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	s.prompt = prompt
	return s.faultOf(prompt)
}

// faultOf returns the fault of a prompt and counts it down. The caller holds mu.
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

// generation is the part of a request for a picture that this provider reads.
type generation struct {
	Prompt         string `json:"prompt"`
	Size           string `json:"size"`
	ResponseFormat string `json:"response_format"`
	OutputFormat   string `json:"output_format"`
}

// maxBody is the maximum length of a request body, in bytes.
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
		s.byID.Add(id, file)
		inner = map[string]string{"url": "http://" + r.Host + "/pictures/" + id}
	}
	if fault == Garbled {
		inner["b64_json"] = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("no picture "), 100))
	}
	body, err := json.Marshal(map[string]any{"created": time.Now().Unix(), "data": []any{inner}})
	if err != nil {
		panic(err) // numbers and strings always marshal
	}
	if fault == Cut {
		cut(w, body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // the client has disconnected
}

// draw returns the file of a picture.
func (s *Server) draw(asked generation) ([]byte, error) {
	size := s.cfg.Size
	if size == (Size{}) {
		var err error
		if size, err = parseSize(asked.Size); err != nil {
			return nil, err
		}
	}
	img := gradient(asked.Prompt, size.Width, size.Height)
	if s.cfg.Picture != nil {
		img = imaging.Fill(s.cfg.Picture(asked.Prompt), size.Width, size.Height, imaging.Center, imaging.Linear)
	}
	var file bytes.Buffer
	if asked.OutputFormat == "jpeg" {
		err := jpeg.Encode(&file, img, &jpeg.Options{Quality: 94})
		return file.Bytes(), err
	}
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, img)
	return file.Bytes(), err
}

// Limits of the sides of a picture, in pixels.
const (
	minSide = 64
	maxSide = 2048
)

// parseSize parses a size such as "1536x1024", the default.
func parseSize(text string) (Size, error) {
	if text == "" || text == "auto" {
		return Size{1536, 1024}, nil
	}
	width, height, _ := strings.Cut(text, "x")
	w, err := strconv.Atoi(width)
	h, err2 := strconv.Atoi(height)
	if errors.Join(err, err2) != nil || min(w, h) < minSide || max(w, h) > maxSide {
		return Size{}, fmt.Errorf("size must look like 1536x1024, with sides from %d to %d", minSide, maxSide)
	}
	return Size{w, h}, nil
}

func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	file, ok := s.byID.Get(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", http.DetectContentType(file))
	_, _ = w.Write(file) //nolint:gosec // G705: it drew the picture itself; an error is a client that left
}

// sleep waits for d and reports false if the context is done first.
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

// Running is a [Server] that listens on an address.
type Running struct {
	*Server
	// BaseURL is the value of MASTHEAD_AI_BASE_URL; a POST to FaultURL sets the fault.
	BaseURL, FaultURL string

	server *http.Server
}

// Open serves a provider on an address such as 127.0.0.1:0. The caller must close it.
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
			slog.Error("fake AI provider stopped", "err", err)
		}
	}()
	return r, nil
}

// Close stops the provider at once and closes all connections, including those of requests in progress.
func (r *Running) Close() error { return r.server.Close() }
