package limit

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"
)

// Limits of the calls to Redis.
const (
	// stepTime bounds one step, and a failed one opens the breaker: for that long, requests wait for a silent server,
	// and hits, which don't wait, are counted as if it answered.
	stepTime = 100 * time.Millisecond
	retryAge = time.Second // how long the breaker stays open
	// syncEvery is how often hits that were counted here are added to the common counts, and syncTime bounds all steps
	// of one batch of that.
	syncEvery = 100 * time.Millisecond
	syncTime  = 500 * time.Millisecond
	// maxBatch is how many keys one step of that adds.
	maxBatch  = 500
	maxConns  = 16
	idleTime  = 4 * time.Minute
	nodesKey  = "masthead:nodes"
	nodeFresh = 5 * time.Second // after which a node that said nothing counts no more
)

// Config says where the nodes of an installation count together.
type Config struct {
	// URL is a redis:// or rediss:// address; "" for none: then each node counts alone.
	URL string `name:"redis-url" env:"MASTHEAD_REDIS_URL" placeholder:"redis://…" help:"Redis or Valkey server on which all nodes count requests together, such as redis://:password@host:6379/0; rediss:// for TLS. One database of it for each installation. If empty, each node counts its own."`
}

// Validate reports an invalid setting by the name of its variable.
func (c Config) Validate() error {
	if c.URL == "" {
		return nil
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Hostname() == "" {
		return errors.New("MASTHEAD_REDIS_URL must be an address like redis://:password@host:6379/0")
	}
	return nil
}

// Address returns the host and port of the server; "" for none.
func (c Config) Address() string {
	u, err := url.Parse(c.URL)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	if u.Port() == "" {
		return u.Host + ":6379"
	}
	return u.Host
}

// Store counts for its windows and breakers: in the memory of this process, or on a server, together with other nodes.
//
// A server that fails or is silent is left alone for a second at a time. Meanwhile, each node counts in its memory,
// with its share of each limit: the limit divided by the number of nodes that were seen last. A nil Store counts in
// memory.
type Store struct {
	pool    *redis.Pool
	breaker interface { // gobreaker.CircuitBreaker, see package cache
		State() gobreaker.State
		Execute(req func() (any, error)) (any, error)
	}
	node  string
	nodes atomic.Int64
	steps *prometheus.HistogramVec

	mu    sync.Mutex
	syncs []func(ctx context.Context) error
}

// Open returns the store of cfg, or nil if it names no server. It connects to nothing.
func Open(cfg Config) *Store {
	if cfg.URL == "" {
		return nil
	}
	return open(cfg)
}

func open(cfg Config, more ...redis.DialOption) *Store {
	options := append([]redis.DialOption{
		redis.DialConnectTimeout(stepTime), redis.DialReadTimeout(stepTime), redis.DialWriteTimeout(stepTime),
		redis.DialTLSConfig(&tls.Config{MinVersion: tls.VersionTLS12}),
	}, more...)
	s := &Store{
		node: uuid.NewString(),
		pool: &redis.Pool{
			MaxIdle: maxConns, MaxActive: maxConns, IdleTimeout: idleTime, Wait: true,
			DialContext: func(ctx context.Context) (redis.Conn, error) {
				return redis.DialURLContext(ctx, cfg.URL, options...)
			},
		},
		breaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
			Name: "redis", Timeout: retryAge,
			ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= 1 },
			IsSuccessful: func(err error) bool { return err == nil || errors.Is(err, context.Canceled) },
			OnStateChange: func(_ string, from, to gobreaker.State) {
				if to == gobreaker.StateOpen && from == gobreaker.StateClosed || to == gobreaker.StateClosed {
					slog.Warn("counting on Redis", "works", to == gobreaker.StateClosed)
				}
			},
		}),
		steps: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "masthead_redis_seconds", Help: "How long steps on Redis took.",
			Buckets: []float64{.0002, .0005, .001, .002, .005, .01, .05, .1, .5},
		}, []string{"step", "result"}), // take, sync; ok, error
	}
	s.nodes.Store(1)
	return s
}

// Collectors returns the metrics of the store.
func (s *Store) Collectors() []prometheus.Collector {
	if s == nil {
		return nil
	}
	return []prometheus.Collector{s.steps}
}

// Usable reports whether requests are counted together: false from a failure of the server on until it has answered. It
// is true for a nil Store.
func (s *Store) Usable() bool { return s == nil || s.breaker.State() == gobreaker.StateClosed }

// Nodes returns how many nodes were seen last, 1 or more.
func (s *Store) Nodes() int64 { return s.nodes.Load() }

// share returns the part of a limit that this node has while it counts alone.
func (s *Store) share(most int64) int64 {
	if s == nil {
		return most
	}
	return max(1, most/max(1, s.nodes.Load()))
}

// do runs one step on the server, within the time limit.
func (s *Store) do(
	ctx context.Context, step string, limit time.Duration, with func(ctx context.Context, c redis.Conn) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	_, err := s.breaker.Execute(func() (_ any, err error) {
		c, err := s.pool.GetContext(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		return nil, with(ctx, c)
	})
	result := "ok"
	if err != nil {
		result = "error"
	}
	s.steps.WithLabelValues(step, result).Observe(time.Since(began).Seconds())
	if err != nil {
		return fmt.Errorf("count on Redis: %w", err)
	}
	return nil
}

// Run adds what was counted here to the common counts, ten times a second, until ctx ends. It returns at once for a nil
// Store.
func (s *Store) Run(ctx context.Context) {
	if s == nil {
		return
	}
	tick := time.NewTicker(syncEvery)
	defer tick.Stop()
	var seen time.Time
	for {
		if time.Since(seen) >= time.Second && s.sayAlive(ctx) == nil {
			seen = time.Now()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		syncs := s.syncs
		s.mu.Unlock()
		for _, sync := range syncs {
			if sync(ctx) != nil {
				break // the breaker is open; what was not added stays here
			}
		}
	}
}

// sayAlive says that this node is alive and counts the others, by the server's clock: those of nodes may differ.
func (s *Store) sayAlive(ctx context.Context) error {
	return s.do(ctx, "sync", syncTime, func(ctx context.Context, c redis.Conn) error {
		now, err := redis.Int64s(redis.DoContext(c, ctx, "TIME")) // seconds, and microseconds of the next one
		if err != nil {
			return err
		}
		if len(now) != 2 {
			return fmt.Errorf("redis said %v to TIME", now)
		}
		millis := now[0]*1000 + now[1]/1000
		if _, err := redis.DoContext(c, ctx, "ZADD", nodesKey, millis, s.node); err != nil {
			return err
		}
		if _, err := redis.DoContext(c, ctx, "ZREMRANGEBYSCORE", nodesKey, "-inf",
			millis-nodeFresh.Milliseconds()); err != nil {
			return err
		}
		nodes, err := redis.Int64(redis.DoContext(c, ctx, "ZCARD", nodesKey))
		if err == nil {
			s.nodes.Store(max(1, nodes))
		}
		return err
	})
}

// onSync has a function called at each sync.
func (s *Store) onSync(do func(ctx context.Context) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.syncs = append(s.syncs, do)
}

// Close closes the connections.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	return s.pool.Close()
}
