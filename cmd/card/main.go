// Command card draws the reference card, the one that other renderers are measured with, as a program.
//
//	card -o card.png     one card, then exit: the time of a cold start
//	card --worker        cards on request, a JSON object a line: the time of a warm one
//
// It goes through the text engine, canvas and encoder that templates use, and through nothing made for it. It is a
// program of its own, which holds no more than a drawing needs, as those of other renderers do.
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
		fmt.Fprintln(os.Stderr, "card:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("card", flag.ContinueOnError)
	file := flags.String("o", "", "write one card as a PNG to `FILE`, and exit")
	worker := flags.Bool("worker", false, "answer requests from standard input, a JSON object a line")
	logo := flags.String("logo", "", "draw the PNG in `FILE` as the logo")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *worker == (*file != "") || flags.NArg() > 0 {
		return errors.New("it takes either -o FILE or --worker")
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
