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
	// Workers is how many pictures are decoded at once; at most, and by default, the number of processors.
	Workers int
	// MaxBytes is the memory that running decodes may take together; 256 MiB by default, which is enough for every
	// picture within the bounds but a progressive JPEG of four inks and more than 13 million pixels.
	MaxBytes int64
	// Wait is how long a picture waits for a worker and for memory; 2 s by default.
	Wait time.Duration
	// Deadline is how long a decode may run; 3 s by default.
	Deadline time.Duration
	// SVG draws SVG; nil leaves it unsupported. Its owner closes it.
	SVG *svg.Engine
	// Begin, unless it is nil, is called in the worker before a decode. It is for tests of decodes that do not finish.
	Begin func(worker.Work)
	// Refusals is where files are remembered whose decode did not finish; nil is for this decoder alone.
	Refusals *worker.Refusals
	// Queue is how many pictures may wait at once; 256 by default.
	Queue int
}

// Validate reports values outside of their bounds, all at once.
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

// withDefaults fills in what is not set.
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

// Decoder decodes pictures. One is shared by the whole program; it is safe for concurrent use. It has no goroutine of
// its own: each lives as long as the picture it decodes.
type Decoder struct {
	pool    *pool
	svg     *svg.Engine
	decodes *prometheus.CounterVec
}

// NewDecoder returns a decoder with the bounds of cfg.
func NewDecoder(cfg Config) *Decoder {
	return &Decoder{pool: newPool(cfg.withDefaults()), svg: cfg.SVG, decodes: newDecodes()}
}

// Want is what the caller needs of a picture.
type Want struct {
	// Side is the shorter side, in pixels, of the place where the picture will stand. A file that holds several sizes
	// (ICO) gives the smallest that fills it, an SVG is drawn so that it fills it; 0 asks for the largest.
	Side int
	// Long, above 0, is the longer side of an SVG instead: it is drawn to have so many pixels, or three eighths of that
	// where so many would take too long.
	Long int
	// MaxBytes is the greatest length of a file that is looked at; 0 stands for [MaxFileBytes].
	MaxBytes int
	// Patience is the least that an SVG waits for its engine to be ready; an engine may be set to have more.
	Patience time.Duration
	// Spent, unless it is nil, is what earlier drawings of the same SVG with Long took, without what they waited. This
	// one's time is added: all together take at most a second, after which there is ErrTimeout.
	Spent *svg.Spent
}

// MaxFileBytes is the maximum size of an untrusted file. Source: docs/security.md#outbound-requests.
const MaxFileBytes = 5 << 20

// plan is a picture whose header was read and found within bounds.
type plan struct {
	facts Facts
	// cost is the memory, in bytes, that is in use at the peak: while the decoder works, or while its result is
	// turned into ours.
	cost int64
	// cut tells that the file ends before it should, which explains what a decoder does not find.
	cut bool
	// decode makes the pixels; it runs in a worker, where a panic is caught.
	decode func(in *input) (decoded, error)
}

// Usable returns nil while pictures are decoded, and UNAVAILABLE while too many workers are lost.
func (d *Decoder) Usable() error { return d.pool.Usable() }

// Decode returns the pixels of a picture as displayed: of animations the first frame, with the orientation applied, of
// an SVG what it draws on a transparent ground.
// The result belongs to the caller; the facts describe it, with Alpha Yes when a pixel is not opaque. data must not
// change while Decode runs, nor afterwards when it ended with ErrTimeout or with ctx: the worker may still read it.
//
// The header is judged first: whatever is out of bounds is refused without decoding. Errors match [ErrUnknown],
// [ErrUnsupported], [ErrTooLarge], [ErrCorrupt], [ErrBusy], [ErrTimeout], [ErrNotReady], [ErrWorkersLost] or
// ctx.Err(); with every one of them the caller goes on as if there were no picture, and [Transient] tells whether to
// ask again.
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
			return nil, err // which has its kind
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

// decoderFault tells what a decoder does not do from what it cannot read, and that from what is not there: the file is
// cut.
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
	case Unknown:
		return plan{}, ErrUnknown
	}
	return plan{}, ErrUnsupported
}

// input is the stream that a decoder reads. It ends with an error as soon as the decode is stopped: that is how most
// decodes that nobody waits for any more come to their end.
type input struct {
	r    io.Reader
	stop *atomic.Bool
}

// inputBytes is how much a decoder gets at once, so that it comes back often.
const inputBytes = 1024

var errStopped = errors.New("nobody waits for it any more")

// Read implements io.Reader.
func (in *input) Read(p []byte) (int, error) {
	if in.stop.Load() {
		return 0, errStopped
	}
	return in.r.Read(p[:min(len(p), inputBytes)])
}
