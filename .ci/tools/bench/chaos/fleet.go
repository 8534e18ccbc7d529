package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"masthead/tools/bench/rig"
)

// This file has what experiments on a fleet share: nodes behind nginx, as in deploy/compose.fleet.yaml, on one
// Postgres, one Redis and one S3 server. Between each node and each of the three is a proxy.

// fleetNodes is the number of nodes.
const fleetNodes = 3

// aiTime is what an AI picture takes on a busy machine.
const aiTime = 2 * time.Second

// balancerFile is the configuration of nginx, from where the program is started: the root of the repository.
const balancerFile = "deploy/nginx.fleet.conf"

// links are the proxies of one node. That between nginx and the node is only there where an experiment has it.
type links struct{ postgres, redis, s3, nginx *rig.Proxy }

// fleetOptions say how a fleet differs from the usual one.
type fleetOptions struct {
	// postgres is used instead of the lab's.
	postgres *rig.Postgres
	// program is started instead of the lab's.
	program *rig.Program
	// nginx says that there is a proxy between it and each node.
	nginx bool
}

// fleet is a running fleet. Its service is behind nginx.
type fleet struct {
	*service
	engines
	nodes    []*rig.Node
	links    []links
	database *rig.Database
}

// engines are what the nodes of a fleet share besides Postgres.
type engines struct{ redis, s3, ai *rig.Engine }

// engines starts them.
func (l *lab) engines(ctx context.Context) (e engines, err error) {
	gateway, err := l.s3Gateway(ctx)
	if err != nil {
		return e, err
	}
	for _, start := range []struct {
		to  **rig.Engine
		new func() (*rig.Engine, error)
	}{
		{&e.redis, func() (*rig.Engine, error) { return rig.NewRedis(ctx) }},
		{&e.s3, func() (*rig.Engine, error) { return rig.NewS3(ctx, gateway) }},
		{&e.ai, func() (*rig.Engine, error) { return l.program.FakeAI(ctx) }},
	} {
		if *start.to, err = start.new(); err != nil {
			return e, absent(err)
		}
		l.later((*start.to).Close)
	}
	return e, nil
}

// fleet starts one.
func (l *lab) fleet(ctx context.Context, o fleetOptions) (*fleet, error) {
	f := &fleet{}
	err := l.fleetDatabase(ctx, f, o.postgres)
	if err != nil {
		return nil, err
	}
	if f.engines, err = l.engines(ctx); err != nil {
		return nil, err
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	program := cmp.Or(o.program, l.program)
	for range fleetNodes {
		if err := l.addNode(f, program, hex.EncodeToString(secret)); err != nil {
			return nil, err
		}
	}
	owner, err := f.nodes[0].Owner(ctx, "owner@example.com")
	if err != nil {
		return nil, err
	}
	if err := f.ask(ctx, func(pool *sql.DB) error { // so that there are AI pictures enough
		_, err := pool.ExecContext(ctx, `UPDATE users SET plan = 'pro', gift_plan = 'pro'`)
		return err
	}); err != nil {
		return nil, err
	}
	if err := l.startFleet(ctx, f, owner, o.nginx); err != nil {
		return nil, err
	}
	if err := f.drawHot(ctx); err != nil {
		return nil, err
	}
	return f, f.warm(ctx)
}

// startFleet starts the nodes, nginx before them, with proxies between if proxied, and the site.
func (l *lab) startFleet(ctx context.Context, f *fleet, owner rig.Owner, proxied bool) error {
	site, err := rig.NewPageServer(hosts...)
	if err != nil {
		return err
	}
	l.later(site.Close)
	var addresses []string
	for i, node := range f.nodes {
		if err := node.Start(ctx); err != nil {
			return err
		}
		l.later(node.Kill)
		u, err := url.Parse(node.Base)
		if err != nil {
			return err
		}
		// A node that starts again listens where nginx looks for it.
		node.Listen(u.Host)
		address := u.Host
		if proxied {
			proxy, err := rig.NewProxy(address)
			if err != nil {
				return err
			}
			l.later(proxy.Close)
			f.links[i].nginx, address = proxy, proxy.Address
		}
		addresses = append(addresses, address)
	}
	balancer, err := rig.NewBalancer(ctx, balancerFile, addresses)
	if err != nil {
		return absent(err)
	}
	l.later(balancer.Close)
	f.service = &service{
		Node: &rig.Node{Base: "http://" + balancer.Address}, site: site, owners: []rig.Owner{owner},
		client: rig.NewClient(patience),
	}
	return nil
}

// warm has each node keep the hot pictures in memory, as after a while of traffic.
func (f *fleet) warm(ctx context.Context) error {
	for _, node := range f.nodes {
		for i := range 2 * hotPages {
			r, err := f.pictures()(ctx, i)
			if err != nil {
				return err
			}
			if r, err = node.Get(ctx, r.URL.Path); err != nil {
				return err
			}
			if _, err := rig.Ask(f.client, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// fleetDatabase makes the database of a fleet.
func (l *lab) fleetDatabase(ctx context.Context, f *fleet, cluster *rig.Postgres) (err error) {
	if cluster == nil {
		f.database, err = l.database(ctx)
		return err
	}
	f.database, err = rig.NewDatabase(ctx, cluster.URL)
	return err // it goes with the cluster
}

// absent turns the error of a program that isn't installed into a reason to skip the experiment.
func absent(err error) error {
	var missing rig.MissingError
	if errors.As(err, &missing) {
		return skipError(missing.Error())
	}
	return err
}

// s3Gateway returns the path of versitygw, which is built when it is first needed.
func (l *lab) s3Gateway(ctx context.Context) (string, error) {
	if l.gateway == "" {
		path := filepath.Join(l.dir, "versitygw")
		err := build(ctx, ".ci/tools/s3", path, "github.com/versity/versitygw/cmd/versitygw")
		if err != nil {
			return "", err
		}
		l.gateway = path
	}
	return l.gateway, nil
}

// addNode prepares another node of the fleet, with its links. Nodes of a program that knows no S3 store share a folder.
func (l *lab) addNode(f *fleet, program *rig.Program, secret string) error {
	database, err := url.Parse(f.database.URL)
	if err != nil {
		return err
	}
	var of links
	for _, link := range []struct {
		to *(*rig.Proxy)
		at string
	}{{&of.postgres, database.Host}, {&of.redis, f.redis.Address}, {&of.s3, f.s3.Address}} {
		if *link.to, err = rig.NewProxy(link.at); err != nil {
			return err
		}
		l.later((*link.to).Close)
	}
	database.Host = of.postgres.Address
	admin, err := rig.FreeAddress()
	if err != nil {
		return err
	}
	if len(f.nodes) == 0 || program.Has("MASTHEAD_S3_ENDPOINT") {
		l.opened++
	}
	node, err := program.Prepare(rig.Options{
		Dir: filepath.Join(l.dir, fmt.Sprint("data-", l.opened)), Database: database.String(), Admin: admin,
		Settings: slices.Concat([]string{
			"MASTHEAD_FETCH_ALLOW=127.0.0.0/8", "MASTHEAD_JWT_SECRET=" + secret,
			"MASTHEAD_REDIS_URL=redis://" + of.redis.Address + "/0", "MASTHEAD_S3_ENDPOINT=http://" + of.s3.Address,
			"MASTHEAD_S3_BUCKET=" + rig.S3Bucket, "MASTHEAD_S3_ACCESS_KEY=" + rig.S3AccessKey,
			"MASTHEAD_S3_SECRET_KEY=" + rig.S3SecretKey, "MASTHEAD_AI_BASE_URL=http://" + f.ai.Address + "/v1",
			"MASTHEAD_AI_IMAGE_MODEL_STANDARD=" + rig.AIModel, "MASTHEAD_AI_PRICE_STANDARD=0",
		}, l.settings),
	})
	f.nodes, f.links = append(f.nodes, node), append(f.links, of)
	return err
}

// befall has a fault befall the fleet while the usual visitors are there, and then looks whether anything was lost.
func (f *fleet) befall(ctx context.Context, what fault, visitors []*visitor) ([]row, error) {
	ai := &visitor{
		who: "new pages with an AI picture, 1/s", perSecond: 1, asking: f.aiPages(), spared: visitors[0].spared,
		makes: aiTime,
	}
	rows, err := f.depend(ctx, what, append(visitors, ai))
	if err != nil {
		return rows, err
	}
	lost, err := f.lost(ctx, what.did, visitors[0])
	return append(rows, lost), err
}

// lost asks again for each new page that was drawn, whose image must be there, and compares the units of the owner with
// the AI pictures.
func (f *fleet) lost(ctx context.Context, did string, v *visitor) (row, error) {
	r := row{did: did, who: "afterwards, each new page that was drawn"}
	drawn := v.stream.Between(time.Time{}, time.Now()).Good()
	gone, redrawn := 0, 0
	for _, one := range drawn {
		ask, err := v.asking(ctx, one.Index)
		if err != nil {
			return r, err
		}
		var image rig.Image
		body, err := rig.Ask(f.client, ask)
		if err == nil {
			err = json.Unmarshal(body, &image)
		}
		if err != nil {
			gone++
			continue
		}
		if !image.Cached {
			redrawn++
		}
		for _, path := range []func() (string, error){image.CDNPath, func() (string, error) { return image.OGPath(), nil }} {
			at, err := path()
			if err != nil {
				return r, err
			}
			get, err := f.Get(ctx, at)
			if err != nil {
				return r, err
			}
			if _, err := rig.Ask(f.client, get); err != nil {
				gone++
			}
		}
	}
	pictures, units, err := f.counts(ctx)
	r.note = fmt.Sprintf("%d of %d are there, and are not drawn again; %d AI pictures, %d units",
		len(drawn)-gone-redrawn, len(drawn), pictures, units)
	r.want(len(drawn) > 0, "any new page at all")
	r.want(gone == 0, "no picture is lost")
	r.want(redrawn == 0, "no image is lost")
	r.want(pictures > 0 && pictures == units, "a unit for each AI picture")
	return r, err
}

// ask asks the database as the superuser.
func (f *fleet) ask(ctx context.Context, do func(*sql.DB) error) error {
	pool, err := f.database.AsSuperuser()
	if err != nil {
		return err
	}
	return errors.Join(do(pool), pool.Close())
}

// counts returns how many images have an AI picture, and how many units were counted for them: those that are still
// reserved, by what was killed, are returned when their lease ends.
func (f *fleet) counts(ctx context.Context) (pictures, units int, err error) {
	err = f.ask(ctx, func(pool *sql.DB) error {
		return pool.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM images WHERE ai::jsonb ->> 'fellBack' = 'false'),
			(SELECT COALESCE(sum(units), 0) FROM usage_months)
				- (SELECT count(*) FROM usage_units WHERE state = 'reserved')`).Scan(&pictures, &units)
	})
	return pictures, units, err
}

// aiPages asks for new pages with a picture of the AI provider.
func (f *fleet) aiPages() rig.Asking {
	return func(ctx context.Context, i int) (*http.Request, error) {
		return f.GenerateWith(ctx, f.last(), f.site.PageOf(i, fmt.Sprint("ai-", i)), map[string]any{
			"ai": true, "template": "mesh",
		})
	}
}

// nodeKilled kills one node of the fleet, which starts again later.
func nodeKilled(ctx context.Context, l *lab) ([]row, error) {
	f, err := l.fleet(ctx, fleetOptions{})
	if err != nil {
		return nil, err
	}
	return f.befall(ctx, fault{
		did:   "one of three nodes is killed, and started again after 12 s",
		begin: f.nodes[0].Kill,
		heal:  func() error { return f.nodes[0].Start(ctx) },
		cut:   true,
	}, f.usual())
}

// nodesReplaced ends and starts the nodes one after another, as an update does: from an older program if there is one.
func nodesReplaced(ctx context.Context, l *lab) ([]row, error) {
	f, err := l.fleet(ctx, fleetOptions{program: l.older})
	if err != nil {
		return nil, err
	}
	replace := func(nodes ...*rig.Node) func() error {
		return func() error {
			for _, node := range nodes {
				node.Update(l.program)
				if err := errors.Join(node.Stop(), node.Start(ctx)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	did := "the three nodes are replaced one after another, as in an update, by the same program"
	if l.older != nil {
		did = "three nodes of an older program are replaced one after another by this one"
	}
	return f.befall(ctx, fault{did: did, begin: replace(f.nodes[0]), heal: replace(f.nodes[1:]...)}, spared(f.usual()))
}

// spared says of all visitors that they may not feel it.
func spared(visitors []*visitor) []*visitor {
	for _, v := range visitors {
		v.spared = true
	}
	return visitors
}

// redisKilled has Redis forget all that it counted.
func redisKilled(ctx context.Context, l *lab) ([]row, error) {
	f, err := l.fleet(ctx, fleetOptions{})
	if err != nil {
		return nil, err
	}
	return f.befall(ctx, fault{
		did:   "Redis is killed, and started again empty after 12 s",
		begin: f.redis.Kill, heal: func() error { return f.redis.Start(ctx) },
	}, spared(f.usual()))
}

// s3Killed kills the S3 server, which may be writing.
func s3Killed(ctx context.Context, l *lab) ([]row, error) {
	f, err := l.fleet(ctx, fleetOptions{})
	if err != nil {
		return nil, err
	}
	return f.befall(ctx, fault{
		did:   "the S3 server is killed, and started again after 12 s",
		begin: f.s3.Kill, heal: func() error { return f.s3.Start(ctx) },
	}, f.usual())
}

// redisFull has Redis refuse to write, since its memory is full.
func redisFull(ctx context.Context, l *lab) ([]row, error) {
	f, err := l.fleet(ctx, fleetOptions{})
	if err != nil {
		return nil, err
	}
	memory := func(bytes string) func() error {
		return func() error { return f.redis.Configure(ctx, "maxmemory", bytes) }
	}
	return f.befall(ctx, fault{
		did: "Redis is full for 12 s: it refuses to write", begin: memory("1"), heal: memory("0"),
	}, spared(f.usual()))
}

// postgresPromoted has the primary crash; after 12 s a standby that had every commit takes over.
func postgresPromoted(ctx context.Context, l *lab) ([]row, error) {
	primary, err := rig.NewPostgres(ctx)
	if err != nil {
		return nil, skipError(err.Error())
	}
	l.later(primary.Close)
	standby, err := primary.Standby(ctx)
	if err != nil {
		return nil, err
	}
	l.later(standby.Close)
	f, err := l.fleet(ctx, fleetOptions{postgres: primary})
	if err != nil {
		return nil, err
	}
	target, err := url.Parse(standby.URL)
	if err != nil {
		return nil, err
	}
	return f.befall(ctx, fault{
		did:   "the primary Postgres crashes, and its synchronous standby is promoted after 12 s",
		begin: func() error { return primary.Crash(ctx) },
		heal: func() error {
			if err := standby.Promote(ctx); err != nil {
				return err
			}
			f.database.Moved(standby.URL)
			for _, link := range f.links {
				link.postgres.Aim(target.Host)
			}
			return nil
		},
	}, f.usual())
}
