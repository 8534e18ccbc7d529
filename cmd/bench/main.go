// Command bench draws cards for those who look at them or time them, and times the requests of whole programs.
//
//	bench card -o card.png            one reference card, then exit: the time of a cold start
//	bench card --worker               reference cards on request, a JSON object a line: the time of a warm one
//	bench icons -o icons.zip          one icon bundle, then exit; --worker as above
//	bench gallery -o DIR              every template × mode × accent × font × text as one HTML page, and icon sets
//	bench samples -o DIR              a sample of every template, and the page of them that docs/samples holds
//	bench requests --program FILE …   the processor time of a request to the built program, beside another revision's
//	bench serving --program FILE      kept pictures served by the built program, beside nginx
//
// The reference card is the one that other renderers are measured with (see card.go). It goes through the text
// engine, canvas and encoder that templates use, and through nothing made for it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
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
  bench card -o FILE [--logo FILE]     draw one reference card
  bench card --worker [--logo FILE]    draw reference cards on request (JSON lines)
  bench icons -o FILE [--source png|svg] [--assets DIR]
                                       make an archive of icons of a logo
  bench icons --worker [--assets DIR]  make archives on request (JSON lines)
  bench gallery -o DIR [-template S] [-icons DIR]
                                       draw a page of all templates, or of one, and one of icon sets
  bench samples -o DIR                 draw a sample of every template, and the page that shows them
  bench requests --program FILE [--program FILE] [--runs N] [--postgres URL]
                                       measure the processor time of requests to built programs
  bench serving --program FILE         measure kept pictures beside nginx (needs wrk and nginx)`

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch args[0] {
	case "card":
		return runCard(args[1:], in, out)
	case "icons":
		return runIcons(args[1:], in, out)
	case "gallery":
		return runGallery(args[1:], out)
	case "samples":
		return runSamples(args[1:], out)
	case "requests":
		return runRequests(args[1:], out)
	case "serving":
		return runServing(args[1:], out)
	}
	return fmt.Errorf("%s is no command of this program\n%s", args[0], usage)
}

func runCard(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("bench card", flag.ContinueOnError)
	file := flags.String("o", "", "write one card as a PNG to `FILE`, and exit")
	worker := flags.Bool("worker", false, "answer requests from standard input, a JSON object a line")
	logo := flags.String("logo", "", "draw the PNG in `FILE` as the logo")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *worker == (*file != "") || flags.NArg() > 0 {
		return errors.New("card takes either -o FILE or --worker")
	}
	cards, err := newRenderer(*logo)
	if err != nil {
		return err
	}
	if *worker {
		return cards.serve(in, out)
	}
	pic, _, err := cards.render(defaultTitle, "png")
	if err != nil {
		return err
	}
	return os.WriteFile(*file, pic.Bytes, 0o644)
}
