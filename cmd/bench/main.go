// Command bench draws cards for those who look at them or time them.
//
//	bench card …                      the reference card; see cmd/card, which holds it alone and so starts sooner
//	bench icons -o icons.zip          one icon bundle, then exit; --worker: bundles on request, a JSON object a line
//	bench gallery -o DIR              every template × mode × accent × font × text as one HTML page, and icon sets
//	bench samples -o DIR              a sample of every template, and the page of them that docs/samples holds
//	bench memory                      what a process that draws takes, for Latin and for all scripts
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"masthead/cmd/refcard"
)

func main() {
	err := run(os.Args[1:], os.Stdin, os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

const usage = `usage:
  bench card -o FILE | --worker        draw reference cards
  bench icons -o FILE [--source png|svg] [--assets DIR]
                                       make an archive of icons of a logo
  bench icons --worker [--assets DIR]  make archives on request (JSON lines)
  bench gallery -o DIR [-template S] [-icons DIR]
                                       draw a page of all templates, or of one, and one of icon sets
  bench samples -o DIR                 draw a sample of every template, and the page that shows them
  bench memory                         measure what a process that draws takes`

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch args[0] {
	case "card":
		return refcard.Run(args[1:], in, out)
	case "icons":
		return runIcons(args[1:], in, out)
	case "gallery":
		return runGallery(args[1:], out)
	case "samples":
		return runSamples(args[1:], out)
	case "memory":
		return runMemory(args[1:], out)
	}
	return fmt.Errorf("%s is no command of this program\n%s", args[0], usage)
}
