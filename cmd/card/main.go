// Command card draws the reference card, the one that other renderers are measured with, as a program.
//
//	card -o card.png     one card, then exit: the time of a cold start
//	card --worker        cards on request, a JSON object a line: the time of a warm one
//
// It holds no more than a drawing needs, as the programs do that other renderers are measured by.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"masthead/cmd/refcard"
)

func main() {
	err := refcard.Run(os.Args[1:], os.Stdin, os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "card:", err)
		os.Exit(1)
	}
}
