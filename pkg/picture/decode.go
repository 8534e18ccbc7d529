package picture

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/picture/svg"
	"masthead/pkg/worker"
)

// Config has the limits of a [Decoder]. Zero values mean the defaults. Source: docs/security.md#decoding.
type Config struct {
	// Workers is the maximum number of concurrent decodes; at most, and by default, the number of processors.
	Workers int
	// MaxBytes is the memory that running decodes may take together; 256 MiB by default, which is enough for every picture
	// within the limits except a progressive CMYK JPEG with more than 13 million pixels.
	MaxBytes int64
	// Wait is how long a picture waits for a worker and for memory; 2 s by default.
	Wait time.Duration
	// Deadline is how long a decode may run; 3 s by default.
	Deadline time.Duration
	// SVG draws SVG; nil means that SVG is unsupported. Its owner closes it.
	SVG *svg.Engine
	// Begin, if not nil, is called in the worker before a decode. It is for tests of decodes that never finish.
	Begin func(worker.Work)
	// Refusals remembers files whose decode didn't finish; nil means for this decoder only.
	Refusals *worker.Refusals
	// Queue is how many pictures may wait; 256 by default.
	Queue int
}

// Validate reports all values out of bounds.
func (c Config) Validate() error {
	var faults []error
	check := func(ok bool, fault string) {
		if !ok {
			faults = append(faults, errors.New(fault))
		}
	}
	check(c.Workers >= 0 && c.Workers <= 1024, "picture workers must be 0 to 1024")
	check(c.MaxBytes == 0 || c.MaxBytes >= 16<<20 && c.MaxBytes <= 16<<30, "picture memory must be 16 MiB to 16 GiB")
	check(c.Wait >= 0 && c.Wait <= time.Minute, "picture wait must be 0 to 1 min")
	check(c.Deadline >= 0 && c.Deadline <= time.Minute, "picture deadline must be 0 to 1 min")
	check(c.Queue >= 0 && c.Queue <= 65536, "picture queue must be 0 to 65536")
	return errors.Join(faults...)
}

// withDefaults sets the defaults of unset fields.
func (c Config) withDefaults() Config {
	processors := runtime.GOMAXPROCS(0)
	if c.Workers <= 0 || c.Workers > processors {
		c.Workers = processors
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = 256 << 20
	}
	if c.Wait <= 0 {
		c.Wait = 2 * time.Second
	}
	if c.Deadline <= 0 {
		c.Deadline = 3 * time.Second
	}
	if c.Queue <= 0 {
		c.Queue = 256
	}
	return c
}

// Decoder decodes pictures. The whole program shares one; it is safe for concurrent use. Each of its goroutines exists
// only while it decodes one picture.
type Decoder struct {
	pool    *pool
	svg     *svg.Engine
	decodes *prometheus.CounterVec
}

// NewDecoder returns a decoder with the limits of cfg.
func NewDecoder(cfg Config) *Decoder {
	return &Decoder{pool: newPool(cfg.withDefaults()), svg: cfg.SVG, decodes: newDecodes()}
}

// Want is what the caller needs of a picture.
type Want struct {
	// Side is the shorter side, in pixels, of the place for the picture. Of a file with several sizes (ICO) the smallest
	// sufficient one is decoded; an SVG is drawn at that size. 0 requests the largest.
	Side int
	// Long, if above 0, is the longer side of an SVG instead, in pixels, or three eighths of it if drawing takes too long.
	Long int
	// MaxBytes is the maximum size of the file; 0 means [MaxFileBytes].
	MaxBytes int
	// Patience is the minimum time that an SVG waits for its engine; the engine may be configured to wait longer.
	Patience time.Duration
	// Spent, if not nil, is the drawing time of earlier drawings of the same SVG with Long, without waiting. This one's is
	// added: all together take at most a second, followed by ErrTimeout.
	Spent *svg.Stopwatch
}

// MaxFileBytes is the maximum size of an untrusted file. Source: docs/security.md#outbound-requests.
const MaxFileBytes = 5 << 20

// plan is a picture whose header was read and is within limits.
type plan struct {
	facts Facts
	// cost is the peak memory in bytes: while the decoder works, or while its result is converted.
	cost int64
	// cut means that the file is truncated, which explains missing data.
	cut bool
	// decode creates the pixels; it runs in a worker, which recovers from panics.
	decode func(in *input) (frame, error)
}

// Usable returns nil normally, and UNAVAILABLE if too many workers are lost.
func (d *Decoder) Usable() error { return d.pool.Usable() }

// Decode returns the pixels of a picture as displayed: the first frame of animations, with the orientation applied; an
// SVG on a transparent background. The result belongs to the caller; the facts describe it, with Alpha Yes if a pixel
// isn't opaque. data must not change while Decode runs, nor afterwards if it failed with ErrTimeout or because of ctx:
// the worker may still read it.
//
// The header is checked first: a picture that exceeds a limit is rejected without decoding. Errors match [ErrUnknown],
// [ErrUnsupported], [ErrTooLarge], [ErrCorrupt], [ErrBusy], [ErrTimeout], [ErrNotReady], [ErrWorkersLost] or ctx.Err().
// With any of them the caller continues as if there were no picture; [Transient] says whether to try again.
func (d *Decoder) Decode(ctx context.Context, data []byte, want Want) (*image.NRGBA, Facts, error) {
	img, facts, err := d.decode(ctx, data, want)
	d.decodes.WithLabelValues(resultOf(err)).Inc()
	return img, facts, err
}

func (d *Decoder) decode(ctx context.Context, data []byte, want Want) (*image.NRGBA, Facts, error) {
	limit := want.MaxBytes
	if limit <= 0 {
		limit = MaxFileBytes
	}
	if len(data) > limit {
		return nil, Facts{}, tooLarge("%d bytes", len(data))
	}
	format := Sniff(data)
	p, err := recovered(func() (plan, error) {
		if format == SVG {
			return d.planSVG(ctx, data, want)
		}
		return planOf(format, data, want)
	})
	if err != nil {
		return nil, Facts{}, fmt.Errorf("decode %s: %w", format, err)
	}
	img, err := run(ctx, d.pool, data, p.cost, func(stop *atomic.Bool) (*image.NRGBA, error) {
		out, err := p.decode(&input{stop: stop})
		switch {
		case err != nil && format == SVG:
			return nil, err // it is already classified
		case err != nil:
			return nil, decoderFault(err, p.cut)
		}
		return out.nrgba()
	})
	if err != nil {
		return nil, Facts{}, fmt.Errorf("decode %s: %w", format, err)
	}
	facts := p.facts
	facts.Format, facts.Width, facts.Height = format, img.Rect.Dx(), img.Rect.Dy()
	facts.Alpha = tristate(!img.Opaque())
	return img, facts, nil
}

// decoderFault distinguishes unsupported features from unreadable data, and that from data missing because the file is
// truncated.
func decoderFault(err error, cut bool) error {
	var ofJPEG jpeg.UnsupportedError
	var ofPNG png.UnsupportedError
	if errors.As(err, &ofJPEG) || errors.As(err, &ofPNG) {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if cut {
		return fmt.Errorf("%w: %w", errTruncated, err)
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}

func planOf(format Format, data []byte, want Want) (plan, error) {
	switch format {
	case PNG:
		return planPNG(data, want)
	case JPEG:
		return planJPEG(data, want)
	case GIF:
		return planGIF(data, want)
	case WebP:
		return planWebP(data, want)
	case ICO:
		return planICO(data, want)
	case AVIF:
		return plan{}, errAVIF
	case Unknown:
		return plan{}, ErrUnknown
	}
	return plan{}, ErrUnsupported
}

// input is the stream that a decoder reads. It fails as soon as the decode is stopped: most decodes that nobody waits
// for anymore end this way.
type input struct {
	r    io.Reader
	stop *atomic.Bool
}

// inputBytes is the size of a read, small so that the decoder checks often.
const inputBytes = 1024

var errStopped = errors.New("nobody waits for it anymore")

// Read implements io.Reader.
func (in *input) Read(p []byte) (int, error) {
	if in.stop.Load() {
		return 0, errStopped
	}
	return in.r.Read(p[:min(len(p), inputBytes)])
}
