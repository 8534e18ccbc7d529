package main

import (
	"context"
	"errors"

	"masthead/tools/bench/rig"
)

// This file has faults of the network between nodes of a fleet and what they depend on.

func toPostgres(l links) *rig.Proxy { return l.postgres }
func toRedis(l links) *rig.Proxy    { return l.redis }
func toS3(l links) *rig.Proxy       { return l.s3 }
func toNginx(l links) *rig.Proxy    { return l.nginx }

// cut is a fault of some links.
type cut struct {
	did   string
	nodes int // the first of the fleet
	links []func(links) *rig.Proxy
	mood  rig.Mood
	// spared says that nobody may feel it.
	spared bool
	// nginx says that the links are those to nginx.
	nginx bool
}

// cut has it befall a fleet.
func (l *lab) cut(ctx context.Context, c cut) ([]row, error) {
	f, err := l.fleet(ctx, fleetOptions{nginx: c.nginx})
	if err != nil {
		return nil, err
	}
	turn := func(m rig.Mood) func() error {
		return func() error {
			var errs []error
			for _, node := range f.links[:c.nodes] {
				for _, link := range c.links {
					errs = append(errs, link(node).Turn(m))
				}
			}
			return errors.Join(errs...)
		}
	}
	visitors := f.usual()
	for _, v := range visitors {
		v.spared = v.spared || c.spared
	}
	return f.befall(ctx, fault{did: c.did, begin: turn(c.mood), heal: turn(rig.Faithful), cut: c.nginx}, visitors)
}

// nodeCutOff silences everything that one node depends on.
func nodeCutOff(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "one of three nodes reaches neither Postgres, Redis nor the S3 store for 12 s", nodes: 1,
		links: []func(links) *rig.Proxy{toPostgres, toRedis, toS3}, mood: rig.Silent,
	})
}

// nodeUnreachable drops all packets between nginx and one node: those of connections that they had, too.
func nodeUnreachable(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "the network between nginx and one of three nodes is cut for 12 s", nodes: 1,
		links: []func(links) *rig.Proxy{toNginx}, mood: rig.Dropping, nginx: true,
	})
}

func nodeWithoutPostgres(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "Postgres silent for 12 s for one of three nodes", nodes: 1,
		links: []func(links) *rig.Proxy{toPostgres}, mood: rig.Silent,
	})
}

func nodeWithoutRedis(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "Redis silent for 12 s for one of three nodes", nodes: 1,
		links: []func(links) *rig.Proxy{toRedis}, mood: rig.Silent, spared: true,
	})
}

func nodeWithoutS3(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "the S3 store silent for 12 s for one of three nodes", nodes: 1,
		links: []func(links) *rig.Proxy{toS3}, mood: rig.Silent,
	})
}

func redisSilent(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "Redis silent for 12 s, with three nodes", nodes: fleetNodes,
		links: []func(links) *rig.Proxy{toRedis}, mood: rig.Silent, spared: true,
	})
}

func redisStopped(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "Redis stopped for 12 s, with three nodes", nodes: fleetNodes,
		links: []func(links) *rig.Proxy{toRedis}, mood: rig.Refusing, spared: true,
	})
}

func redisSlow(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "Redis slow for 12 s: every message takes a second more", nodes: fleetNodes,
		links: []func(links) *rig.Proxy{toRedis}, mood: rig.Slow, spared: true,
	})
}

func s3Silent(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "the S3 store silent for 12 s, with three nodes", nodes: fleetNodes,
		links: []func(links) *rig.Proxy{toS3}, mood: rig.Silent,
	})
}

func s3Slow(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "the S3 store slow for 12 s: every message takes a second more", nodes: fleetNodes,
		links: []func(links) *rig.Proxy{toS3}, mood: rig.Slow,
	})
}

func s3Stopped(ctx context.Context, l *lab) ([]row, error) {
	return l.cut(ctx, cut{
		did: "the S3 store stopped for 12 s, with three nodes", nodes: fleetNodes,
		links: []func(links) *rig.Proxy{toS3}, mood: rig.Refusing,
	})
}
