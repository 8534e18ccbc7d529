// Command bench measures built programs: the processor time of their requests, and kept pictures beside nginx.
//
//	bench requests --program FILE …   the processor time of a request, beside another revision's
//	bench serving --program NAME=FILE …  kept pictures, beside nginx
//	bench scale --program FILE …         requests with many images in the database
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

const usage = `usage:
  bench requests --program FILE [--program FILE] [--runs N] [--postgres URL]
                                measure the processor time of requests to built programs
  bench serving --program NAME=FILE
                                measure kept pictures beside nginx (needs wrk and nginx)
  bench scale --program FILE --postgres URL --rows N [--rows N]
                                measure requests with many images in the database`

func main() {
	err := run(os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	commands := map[string]func(args []string, out io.Writer) error{
		"requests": runRequests, "serving": runServing, "scale": runScale,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New(usage)
	}
	return commands[args[0]](args[1:], out)
}
