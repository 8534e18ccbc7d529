package svg

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// This file runs the engine: it is compiled once, and instantiated for each picture.

// packed is resvg as WebAssembly, compressed with Brotli, which makes the program 1.8 MB smaller. README.md documents
// its origin.
//
//go:embed resvg.wasm.br
var packed []byte

// module returns resvg as WebAssembly.
func module() ([]byte, error) {
	unpacked, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, fmt.Errorf("unpack the engine: %w", err)
	}
	return unpacked, nil
}

// Limits of a drawing. Source: docs/security.md#decoding.
const (
	memoryPages = 64 << 20 >> 16
	drawTime    = time.Second
)

// MemoryBytes is the maximum memory of an instance.
const MemoryBytes = memoryPages << 16

// Config configures an [Engine].
type Config struct {
	// Dir is the folder for compiled code; "" means none. Only this program may write to it, because its content is
	// executed.
	Dir string
	// Lazy delays compiling until the first document is drawn.
	Lazy bool
	// Wait is how long a document waits for the engine to be ready. With 0 it is refused until then.
	Wait time.Duration
	// Faces are TrueType files of one family used for all text, regardless of the family that a document names. Without
	// any, documents with text are rejected. Each document with text gets copies, within its memory: all faces together
	// should take at most an eighth of [MemoryBytes].
	Faces [][]byte
	// Time is the time limit of drawing a document; 0 means a second. More is for tests on busy machines.
	Time time.Duration
	// Hold, if not nil, delays compiling until it is closed. It is for tests of the time before.
	Hold <-chan struct{}
}

// Engine draws documents. It is safe for concurrent use, and must be closed.
type Engine struct {
	cfg   Config
	once  sync.Once // compiling has begun, or never will
	begin func()
	stop  context.CancelFunc
	ready chan struct{}

	// The following is set once ready is closed.
	err   error
	cache wazero.CompilationCache
	// guarded can be stopped at any time, which makes it 2 to 8 times slower; plain can't, and draws only documents that
	// [Clean] found to be small.
	guarded, plain variant

	// mu is held for reading while an instance runs: running code must not be unloaded.
	mu     sync.RWMutex
	closed bool
}

// variant is the engine compiled in one of the two ways.
type variant struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// New returns an engine that compiles in the background: 3 s on an idle core, or 0.1 s with compiled code in Dir.
func New(cfg Config) *Engine {
	ctx, stop := context.WithCancel(context.Background())
	e := &Engine{cfg: cfg, stop: stop, ready: make(chan struct{})}
	e.begin = func() {
		e.once.Do(func() {
			go func() {
				defer close(e.ready)
				if cfg.Hold != nil {
					select {
					case <-cfg.Hold:
					case <-ctx.Done():
					}
				}
				e.compile(ctx)
				if !cfg.Lazy { // in an idle program nothing else collects the more than 100 MB that compiling leaves
					debug.FreeOSMemory()
				}
			}()
		})
	}
	if !cfg.Lazy {
		e.begin()
	}
	return e
}

// Ready waits until the engine can draw. The error is that of ctx, or why it never can.
func (e *Engine) Ready(ctx context.Context) error {
	e.begin()
	select {
	case <-e.ready:
		return e.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Await waits as long as a document waits for the engine, but at least for patience. The error is [ErrNotReady], or
// that of ctx.
func (e *Engine) Await(ctx context.Context, patience time.Duration) error {
	bounded, cancel := context.WithTimeout(ctx, max(patience, e.cfg.Wait))
	defer cancel()
	e.begin()
	select {
	case <-e.ready: // even if the time is over
	default:
		_ = e.Ready(bounded) // its error is returned below
	}
	select {
	case <-e.ready:
		if e.err != nil {
			return fmt.Errorf("%w: %w", ErrNotReady, e.err)
		}
		return nil
	default:
		return cmp.Or(ctx.Err(), ErrNotReady)
	}
}

// Close waits for running drawings and frees the compiled code and its memory. Nothing can be drawn afterwards.
func (e *Engine) Close() error { return e.CloseWithin(context.Background()) }

// CloseWithin is like Close but waits at most until ctx ends, and leaves what is still being drawn to the end of the
// process.
func (e *Engine) CloseWithin(ctx context.Context) error {
	closed := make(chan error, 1)
	go func() { closed <- e.close() }()
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
		return fmt.Errorf("a document is still being drawn: %w", ctx.Err())
	}
}

func (e *Engine) close() error {
	e.stop()
	e.once.Do(func() {
		e.err = context.Canceled
		close(e.ready)
	})
	<-e.ready
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	return e.release()
}

func (e *Engine) release() error {
	err := errors.Join(e.guarded.close(), e.plain.close())
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close(context.Background()))
	}
	return err
}

// workers is the number of compiling goroutines: two, which leaves the other processors to the rest of the program.
// With only one, compiling couldn't be stopped.
const workers = 2

// compile creates both variants. If compiled code can't be loaded or stored, that only costs time.
func (e *Engine) compile(ctx context.Context) {
	ctx = experimental.WithCompilationWorkers(ctx, workers)
	if e.cfg.Dir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(e.cfg.Dir)
		if err == nil {
			if err = e.compileWith(ctx, cache); err == nil {
				return
			}
		}
		if ctx.Err() == nil {
			slog.WarnContext(ctx, "the compiled engine for SVG can't be stored", "folder", e.cfg.Dir, "err", err)
		}
	}
	e.err = e.compileWith(ctx, wazero.NewCompilationCache())
	if e.err != nil && ctx.Err() == nil {
		slog.ErrorContext(ctx, "SVG can't be drawn", "err", e.err)
	}
}

func (e *Engine) compileWith(ctx context.Context, cache wazero.CompilationCache) (err error) {
	e.cache = cache
	engine, err := module()
	if err == nil {
		e.guarded, err = compile(ctx, cache, engine, true)
	}
	if err == nil {
		e.plain, err = compile(ctx, cache, engine, false)
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		err = errors.Join(err, e.release())
		e.guarded, e.plain, e.cache = variant{}, variant{}, nil
	}
	return err
}

func compile(ctx context.Context, cache wazero.CompilationCache, engine []byte, guarded bool) (variant, error) {
	v := variant{runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithCompilationCache(cache).WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(guarded))}
	err := imports(ctx, v.runtime)
	if err == nil {
		v.compiled, err = v.runtime.CompileModule(ctx, engine)
	}
	if err != nil {
		return variant{}, errors.Join(fmt.Errorf("compile the engine: %w", err), v.close())
	}
	return v, nil
}

func (v variant) close() error {
	if v.runtime == nil {
		return nil
	}
	return v.runtime.Close(context.Background())
}

// Draw draws a document so that it fills w×h pixels according to its preserveAspectRatio, on a transparent background.
// It takes at most a second, and [MemoryBytes] in addition to the result.
//
// Errors match [ErrNotReady], [ErrTimeout], [ErrDamaged], [ErrUnsupported] or ctx.Err().
func (e *Engine) Draw(ctx context.Context, d *Document, w, h int) (*image.NRGBA, error) {
	drawn, err := e.DrawSizes(ctx, d, image.Pt(w, h))
	if err != nil {
		return nil, err
	}
	return drawn[0], nil
}

// Stopwatch adds up the drawing time of a document over all its drawings. The zero value is ready. It is safe for
// concurrent use, but concurrent drawings don't see each other's time.
type Stopwatch struct{ nanoseconds atomic.Int64 }

// Duration is the total of the finished drawings.
func (s *Stopwatch) Duration() time.Duration { return time.Duration(s.nanoseconds.Load()) }

// DrawSizes is like Draw for several sizes, one after another in one instance and within one second in total. It
// returns those drawn by then, at least the first.
func (e *Engine) DrawSizes(ctx context.Context, d *Document, sizes ...image.Point) ([]*image.NRGBA, error) {
	return e.drawSizes(ctx, d, nil, sizes)
}

func (e *Engine) drawSizes(
	ctx context.Context, d *Document, spent *Stopwatch, sizes []image.Point,
) ([]*image.NRGBA, error) {
	if d.words && len(e.cfg.Faces) == 0 {
		return nil, fmt.Errorf("%w: it has text, for which there is no font", ErrUnsupported)
	}
	if err := e.Await(ctx, 0); err != nil {
		return nil, err
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return nil, ErrNotReady
	}
	v := e.plain
	for _, size := range sizes {
		if !d.small(size.X, size.Y) {
			v = e.guarded
		}
	}
	left := e.timeLeft(spent)
	if left <= 0 {
		return nil, ErrTimeout
	}
	if spent != nil {
		begun := time.Now()
		defer func() { spent.nanoseconds.Add(int64(time.Since(begun))) }()
	}
	bounded, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	var faces [][]byte
	if d.words {
		faces = e.cfg.Faces
	}
	drawn, err := v.draw(bounded, d, d.content, faces, sizes)
	if len(drawn) == 0 && d.plain != "" && bounded.Err() == nil { // filters took too much memory
		drawn, err = v.draw(bounded, d, d.plain, faces, sizes)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case len(drawn) > 0 && isEmpty(drawn[0]) && d.Omitted != "":
		return nil, fmt.Errorf("%w: %s", ErrNothing, d.Omitted)
	case len(drawn) > 0 && isEmpty(drawn[0]):
		return nil, damaged("it draws nothing visible")
	case len(drawn) > 0:
		return drawn, nil
	case bounded.Err() != nil:
		return nil, ErrTimeout
	}
	return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
}

// timeLeft is the time limit of a drawing, given the earlier ones of the document.
func (e *Engine) timeLeft(spent *Stopwatch) time.Duration {
	left := cmp.Or(e.cfg.Time, drawTime)
	if spent != nil {
		left -= spent.Duration()
	}
	return left
}

// DrawLong draws a document with a longer side of side pixels, or of three eighths of that if it takes too long. spent,
// if not nil, is the time of earlier drawings of the document: all together take at most the second that one may take,
// followed by [ErrTimeout].
func (e *Engine) DrawLong(ctx context.Context, d *Document, side int, spent *Stopwatch) (*image.NRGBA, error) {
	size := d.fit(side)
	sizes := []image.Point{size}
	if lesser := side * 3 / 8; !d.small(size.X, size.Y) && lesser > 0 {
		sizes = []image.Point{d.fit(lesser), size}
	}
	drawn, err := e.drawSizes(ctx, d, spent, sizes)
	if err != nil {
		return nil, err
	}
	return drawn[len(drawn)-1], nil
}

// options are resvg's, as JSON. Unknown font families are drawn in the first face's.
const options = `{"fitTo":{"mode":"original"},"font":{"loadSystemFonts":false},"logLevel":"off"}`

// draw draws sizes in an instance of its own, as many as it can.
func (v variant) draw(ctx context.Context, d *Document, content string, faces [][]byte, sizes []image.Point) (
	drawn []*image.NRGBA, err error) {
	values := newValues()
	ctx = context.WithValue(ctx, valuesKey{}, values)
	room := memories.Get().(*memory)
	defer room.release()
	ctx = experimental.WithMemoryAllocator(ctx, room)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions()
	instance, err := v.runtime.InstantiateModule(ctx, v.compiled, config)
	if err != nil {
		return nil, err
	}
	defer func() { _ = instance.Close(context.Background()) }() // nothing of it is needed
	r := run{ctx: ctx, module: instance, values: values}
	for _, size := range sizes {
		img := r.draw(d.xml(content, size.X, size.Y), faces)
		if r.err != nil {
			return drawn, r.err
		}
		drawn = append(drawn, img)
	}
	return drawn, nil
}

// draw draws a document at its own size.
func (r *run) draw(document string, faces [][]byte) *image.NRGBA {
	at, err := place(r.ctx, r.module, options)
	if err != nil {
		r.err = err
		return nil
	}
	files := uint32(0) // none
	if len(faces) > 0 {
		list := &arrayValue{}
		for _, face := range faces {
			list.items = append(list.items, face)
		}
		files = r.add(list)
	}
	// The engine's return value goes to 16 bytes of its stack.
	result := r.call("__wbindgen_add_to_stack_pointer", 0xfffffff0)
	r.call("resvg_new", result, r.add(document), at, uint32(len(options)), files)
	tree := r.result(result)
	r.call("resvg_render", result, tree)
	drawn := r.result(result)
	w, h := r.call("renderedimage_width", drawn), r.call("renderedimage_height", drawn)
	handle := r.call("renderedimage_pixels", drawn)
	r.call("__wbg_renderedimage_free", drawn)
	r.call("__wbg_resvg_free", tree)
	r.call("__wbindgen_add_to_stack_pointer", 16)
	if r.err != nil {
		return nil
	}
	pixels, ok := r.take(handle).([]byte)
	if !ok || len(pixels) != int(4*w*h) {
		r.err = errors.New("the engine returned an unexpected number of pixels")
		return nil
	}
	return unmultiply(pixels, int(w), int(h))
}

// run calls functions of an instance one after another; after a failure it does nothing.
type run struct {
	*values
	ctx    context.Context
	module api.Module
	err    error
}

// call returns the function's result, or 0 without one.
func (r *run) call(name string, args ...uint32) uint32 {
	if r.err != nil {
		return 0
	}
	slots := make([]uint64, len(args))
	for i, arg := range args {
		slots[i] = uint64(arg)
	}
	results, err := r.module.ExportedFunction(name).Call(r.ctx, slots...)
	if r.err = err; err != nil || len(results) == 0 {
		return 0
	}
	return uint32(results[0])
}

// result reads what a fallible function has left: the value, or an error's number and 1.
func (r *run) result(at uint32) uint32 {
	if r.err != nil {
		return 0
	}
	memory := r.module.Memory()
	value, ok := memory.ReadUint32Le(at)
	fault, ok2 := memory.ReadUint32Le(at + 4)
	failed, ok3 := memory.ReadUint32Le(at + 8)
	switch {
	case !ok || !ok2 || !ok3:
		r.err = errOutside
	case failed != 0:
		r.err = fmt.Errorf("%v", r.take(fault))
	}
	return value
}
