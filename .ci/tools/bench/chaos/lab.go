package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"masthead/tools/bench/rig"
)

// skipError is why an experiment cannot run here.
type skipError string

func (s skipError) Error() string { return string(s) }

// lab is what experiments share.
type lab struct {
	program  *rig.Program
	dir      string
	settings []string // further ones, for every program
	opened   int
	undo     []func() error
	postgres string // started when it is first needed
	cluster  *rig.Postgres
	gateway  string // the S3 server, built when it is first needed
	jumping  *rig.Program
	older    *rig.Program // nil for none
}

// newLab makes a lab with the built program in a file, or with one built from here for an empty path, and an older one,
// if there is one.
func newLab(ctx context.Context, path, older string) (*lab, error) {
	dir, err := os.MkdirTemp("", "masthead-chaos-")
	if err != nil {
		return nil, err
	}
	l := &lab{dir: dir}
	if path == "" {
		path = filepath.Join(dir, "masthead")
		if err := build(ctx, ".", path, "./cmd/masthead"); err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	if l.program, err = rig.Look(ctx, path); err != nil {
		return nil, errors.Join(err, l.close())
	}
	if older != "" {
		if l.older, err = rig.Look(ctx, older); err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	return l, nil
}

// later has something undone when the experiment is over, the last first.
func (l *lab) later(f func() error) { l.undo = append(l.undo, f) }

// tidy undoes what an experiment did.
func (l *lab) tidy() error {
	var errs []error
	for _, f := range slices.Backward(l.undo) {
		errs = append(errs, f())
	}
	l.undo = nil
	return errors.Join(errs...)
}

func (l *lab) close() error {
	err := l.tidy()
	if l.cluster != nil {
		err = errors.Join(err, l.cluster.Close())
	}
	return errors.Join(err, os.RemoveAll(l.dir))
}

// database makes a database for one experiment, in the Postgres of MASTHEAD_TEST_DATABASE_URL or in one of our own.
func (l *lab) database(ctx context.Context) (*rig.Database, error) {
	l.postgres = cmp.Or(l.postgres, os.Getenv("MASTHEAD_TEST_DATABASE_URL"))
	if l.postgres == "" {
		cluster, err := rig.NewPostgres(ctx)
		if err != nil {
			return nil, skipError(err.Error())
		}
		l.cluster, l.postgres = cluster, cluster.URL
	}
	d, err := rig.NewDatabase(ctx, l.postgres)
	if err != nil {
		return nil, err
	}
	l.later(d.Drop)
	return d, nil
}

// patience is how long others wait for an answer.
const patience = 20 * time.Second

// otherAddresses are those of clients that open many connections: one address may hold few.
var otherAddresses = []string{
	"127.0.3.1", "127.0.3.2", "127.0.3.3", "127.0.3.4", "127.0.3.5", "127.0.3.6", "127.0.3.7", "127.0.3.8",
}

// hosts are the origins of pages, so many that turns at one of them bound nobody.
var hosts = []string{
	"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.7", "127.0.0.8",
	"127.0.0.11", "127.0.0.12", "127.0.0.13", "127.0.0.14", "127.0.0.15", "127.0.0.16", "127.0.0.17", "127.0.0.18",
}

// hotPages are the pages whose images are there before anything happens.
const hotPages = 16

// service is a running program with owners, and a site whose first pages are drawn.
type service struct {
	*rig.Node
	site   *rig.PageServer
	owners []rig.Owner
	hot    []rig.Image // of the last owner
	client *http.Client
}

// open starts the program with as many owners. The last of them has drawn the hot pages.
func (l *lab) open(ctx context.Context, o rig.Options, owners int) (*service, error) {
	site, err := rig.NewPageServer(hosts...)
	if err != nil {
		return nil, err
	}
	l.later(site.Close)
	if o.Dir == "" {
		l.opened++
		o.Dir = filepath.Join(l.dir, fmt.Sprint("data-", l.opened))
	}
	// Every other loopback address is a host of its own that experiments may start.
	o.Settings = slices.Concat([]string{"MASTHEAD_FETCH_ALLOW=127.0.0.0/8"}, o.Settings, l.settings)
	node, err := l.program.Prepare(o)
	if err != nil {
		return nil, err
	}
	s := &service{Node: node, site: site, client: rig.NewClient(patience)}
	for i := range owners {
		owner, err := node.Owner(ctx, fmt.Sprintf("owner-%d@example.com", i))
		if err != nil {
			return nil, err
		}
		s.owners = append(s.owners, owner)
	}
	if err := node.Start(ctx); err != nil {
		return nil, err
	}
	l.later(node.Kill)
	return s, s.drawHot(ctx)
}

// drawHot draws the hot pages.
func (s *service) drawHot(ctx context.Context) error {
	for i := range hotPages {
		image, err := s.Draw(ctx, s.client, s.last(), s.site.Page(fmt.Sprint("hot-", i)))
		if err != nil {
			return err
		}
		s.hot = append(s.hot, image)
	}
	return nil
}

// last is the owner who uses the service as it is meant.
func (s *service) last() rig.Owner { return s.owners[len(s.owners)-1] }

// newPages asks for pages that nobody asked for before; name tells streams apart.
func (s *service) newPages(o rig.Owner, name string) rig.Asking {
	return func(ctx context.Context, i int) (*http.Request, error) {
		return s.Generate(ctx, o, s.site.PageOf(i, fmt.Sprintf("%s-%d", name, i)))
	}
}

// keptPages asks for the pages that are drawn already.
func (s *service) keptPages() rig.Asking {
	return func(ctx context.Context, i int) (*http.Request, error) {
		return s.Generate(ctx, s.last(), s.site.Page(fmt.Sprint("hot-", i%hotPages)))
	}
}

// pictures asks for pictures, from /cdn and /og in turns.
func (s *service) pictures() rig.Asking {
	return func(ctx context.Context, i int) (*http.Request, error) {
		image := s.hot[i/2%hotPages]
		if i%2 == 0 {
			return s.Get(ctx, image.OGPath())
		}
		path, err := image.CDNPath()
		if err != nil {
			return nil, err
		}
		return s.Get(ctx, path)
	}
}

// visitor is somebody who uses the service while something happens.
type visitor struct {
	who       string
	perSecond float64
	asking    rig.Asking
	client    *http.Client // the service's when it is nil
	// spared says that a dependency's fault must not be felt.
	spared bool
	// makes is what the making of an answer takes besides.
	makes  time.Duration
	stream *rig.Stream
}

// visit has visitors ask until the function that it returns is called.
func (s *service) visit(ctx context.Context, visitors []*visitor) (leave func()) {
	for _, v := range visitors {
		client := v.client
		if client == nil {
			client = s.client
		}
		v.stream = rig.NewStream(ctx, client, v.perSecond, v.asking)
	}
	return func() {
		for _, v := range visitors {
			v.stream.Stop()
		}
	}
}

// usual are those who use the service as it is meant: few new pages, more that are kept, and pictures.
func (s *service) usual() []*visitor {
	return []*visitor{
		{who: "new pages, 5/s", perSecond: 5, asking: s.newPages(s.last(), "new")},
		{who: "kept pages, 10/s", perSecond: 10, asking: s.keptPages()},
		{who: "/og and /cdn, 20/s", perSecond: 20, asking: s.pictures(), spared: true},
	}
}

// neighbors has visitors use the service while a client or host does harm, and returns what they felt of it. harm
// returns when it is over; calm passes before it.
func (s *service) neighbors(
	ctx context.Context, did string, visitors []*visitor, harm func(context.Context) error,
) ([]row, error) {
	leave := s.visit(ctx, visitors)
	time.Sleep(calm)
	start := time.Now()
	err := harm(ctx)
	end := time.Now()
	leave()
	var rows []row
	for _, v := range visitors {
		r := row{did: did, who: v.who, felt: v.stream.Between(start, end)}
		r.wantUnharmed()
		rows = append(rows, r)
	}
	return rows, err
}

// calm passes before something happens.
const calm = 2 * time.Second
