// Command masthead is the command line of the service: flags and environment variables into the configurations of the
// packages, and output for people. What it starts is package app.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"masthead/render"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

// commands is the command line.
type commands struct {
	Serve serveCommand `cmd:"" help:"Start the service."`
	Card  cardCommand  `cmd:"" help:"Draw one card into a file, without server, account or key."`
	Key   struct {
		Create keyCreateCommand `cmd:"" help:"Make an API key for a project of the admin, and the project where it is missing."`
	} `cmd:"" help:"API keys."`
	Admin struct {
		Create adminCreateCommand `cmd:"" help:"Make an account that is admin, or make an account admin."`
	} `cmd:"" help:"Accounts that operate the service."`
	Version kong.VersionFlag `help:"Print the version."`
}

func main() {
	os.Exit(run(context.Background(), os.Args[1:]))
}

// run executes one command line and returns the exit code: 0, or 1 after a sentence on standard error.
func run(ctx context.Context, args []string) int {
	if err := execute(ctx, args); err != nil {
		fmt.Fprintln(os.Stderr, "masthead:", err)
		return 1
	}
	return 0
}

func execute(ctx context.Context, args []string) error {
	if err := dropEmpty(os.Environ(), os.Unsetenv); err != nil {
		return err
	}
	if err := readSecretFiles(os.Environ(), os.Setenv); err != nil {
		return err
	}
	var line commands
	parser, err := kong.New(&line, kong.Name("masthead"),
		kong.Description("Masthead gives a web page its face on the internet: "+
			"share images and blog heroes, drawn, kept and served."),
		kong.Vars{"version": version, "font": render.DefaultFont, "fonts": strings.Join(render.Fonts(), ",")},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		return fmt.Errorf("build the command line: %w", err)
	}
	chosen, err := parser.Parse(args)
	if err != nil {
		return fmt.Errorf("%s", nameVariables(parser, err.Error()))
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	chosen.BindTo(ctx, (*context.Context)(nil))
	return chosen.Run()
}

// untilSignal returns a context that ends with the first signal to leave. A second one ends the process at once, as
// if nobody had listened.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		for range 2 {
			s, ok := <-signals
			if !ok {
				return
			}
			if ctx.Err() == nil {
				cancel()
				continue
			}
			signal.Reset(s)
			if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(s) != nil {
				os.Exit(1)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

// dropEmpty unsets what is set to nothing, as compose files do with variables that they only pass on: it means the
// default.
func dropEmpty(environ []string, unset func(key string) error) error {
	for _, entry := range environ {
		if key, value, _ := strings.Cut(entry, "="); value == "" && strings.HasPrefix(key, "MASTHEAD_") {
			if err := unset(key); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	return nil
}

// readSecretFiles sets MASTHEAD_X to the content of the file that MASTHEAD_X_FILE names, as orchestrators hand out
// secrets.
func readSecretFiles(environ []string, set func(key, value string) error) error {
	values := map[string]string{}
	for _, entry := range environ {
		key, value, _ := strings.Cut(entry, "=")
		values[key] = value
	}
	for key, path := range values {
		name, ok := strings.CutSuffix(key, "_FILE")
		if !ok || !strings.HasPrefix(key, "MASTHEAD_") || path == "" {
			continue
		}
		if values[name] != "" {
			return fmt.Errorf("%s and %s are both set: set one of them", name, key)
		}
		secret, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if err := set(name, strings.TrimRight(string(secret), "\r\n")); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

var flagName = regexp.MustCompile(`--[a-z][a-z-]+`)

// nameVariables adds to each flag in a message the variable that sets it too, since that is where a wrong value
// mostly stands.
func nameVariables(parser *kong.Kong, message string) string {
	variables := map[string]string{}
	for _, node := range parser.Model.Leaves(false) {
		for _, flag := range node.Flags {
			if len(flag.Envs) > 0 {
				variables["--"+flag.Name] = flag.Envs[0]
			}
		}
	}
	return flagName.ReplaceAllStringFunc(message, func(flag string) string {
		if variable := variables[flag]; variable != "" {
			return flag + " (" + variable + ")"
		}
		return flag
	})
}
