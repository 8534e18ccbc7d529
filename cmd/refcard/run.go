// Package refcard draws the reference card, the one that other renderers are measured with. It goes through the text
// engine, canvas and encoder that templates use, and through nothing made for it.
package refcard

import (
	"errors"
	"flag"
	"io"
	"os"

	"masthead/render/html"
)

// Run draws one card into the file of -o, or answers requests from in until it ends; args are those of `card`.
func Run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("card", flag.ContinueOnError)
	file := flags.String("o", "", "write one card as a PNG to `FILE`, and exit")
	worker := flags.Bool("worker", false, "answer requests from standard input, a JSON object a line")
	logo := flags.String("logo", "", "draw the PNG in `FILE` as the logo")
	document := flags.Bool("document", false, "draw the card from its document in HTML")
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
	if *document {
		if cards.document, err = html.Compile(cardDocument); err != nil {
			return err
		}
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
