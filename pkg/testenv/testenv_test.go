package testenv

import "testing"

// TestMachine is the one place that tells what this machine lacks.
func TestMachine(t *testing.T) {
	for _, n := range []need{
		postgres, pgbouncer, redis, s3, chromium, desktop, axe, lighthouse, corpus, cards, xmllint, webPorts, oldProgram,
	} {
		t.Run(n.name, func(t *testing.T) {
			if _, ok := n.of(t); !ok {
				t.Skip(n.missing)
			}
		})
	}
}
