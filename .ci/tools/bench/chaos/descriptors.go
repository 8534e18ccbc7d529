package main

import (
	"context"
	"fmt"
	"os/exec"

	"masthead/tools/bench/rig"
)

// fewDescriptors lets the program open few files, and takes all of them by connections.
func fewDescriptors(ctx context.Context, l *lab) ([]row, error) {
	prlimit, err := exec.LookPath("prlimit")
	if err != nil {
		return nil, skipError("prlimit is missing")
	}
	const files = 80
	s, err := l.open(ctx, rig.Options{Under: []string{prlimit, fmt.Sprintf("--nofile=%d:%d", files, files), "--"}}, 1)
	if err != nil {
		return nil, err
	}
	var h holder
	l.later(h.release)
	visitors := s.usual()
	for _, v := range visitors {
		v.spared = false // a connection that cannot be taken has no answer
	}
	return s.depend(ctx, fault{
		did: fmt.Sprintf("the program may open %d files, and somebody holds all by connections for 12 s", files),
		begin: func() error {
			go h.hold(s, "127.0.2.1", files)
			return nil
		},
		heal: h.release,
	}, visitors)
}
