// Command masthead is the command line of the service. It turns flags and environment variables into the configurations
// of the packages, and prints output for people. Package app is the service itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"masthead/cmd/masthead/audit"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/audit/format"
	"masthead/pkg/card"
	"masthead/render"
	"masthead/render/design/start"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1 // it failed
	exitUsage  = 2 // invalid input: a flag, an argument, a variable
	exitFound  = 6 // an audit has findings by its flags, or the test of a design has some
)

// commands is the command line.
type commands struct {
	Serve       serveCommand       `cmd:"" help:"Start the service."`
	Icons       iconsCommand       `cmd:"" help:"Draw the icons of a site into files. Needs no server, account or key."`
	Card        cardCommand        `cmd:"" help:"Draw cards into files. Needs no server, account or key."`
	Design      designCommands     `cmd:"" help:"Make designs of your own."`
	Audit       audit.Command      `cmd:"" help:"Show how pages look on social platforms and to search engines, and what to fix."`
	Preview     previewCommand     `cmd:"" help:"Show what a link to a page looks like on each platform."`
	Analyze     analyzeCommand     `cmd:"" help:"Print a page's brand: its icon, colors, main texts and mood."`
	Project     projectCommands    `cmd:"" help:"Manage projects, their domains and meta tags."`
	Key         keyCommands        `cmd:"" help:"Manage API keys."`
	Webhooks    webhookCommands    `cmd:"" help:"Follow what webhooks are sent."`
	Backup      backupCommand      `cmd:"" help:"Back up the database and all files, while the service runs."`
	Restore     restoreCommand     `cmd:"" help:"Restore a backup."`
	Blobs       blobsCommand       `cmd:"" help:"Copy pictures between the data folder and an S3 store."`
	Upgrade     upgradeCommand     `cmd:"" help:"Say what an upgrade to this version would do."`
	Plan        planCommand        `cmd:"" help:"Say how many cores, how much disk and what money an installation needs, by what it measures on this machine."`
	Healthcheck healthcheckCommand `cmd:"" help:"Ask the service on this machine whether it is ready, for containers."`
	Config      configCommands     `cmd:"" help:"Check the configuration of the service."`
	Admin       adminCommands      `cmd:"" help:"Manage accounts, for operators of the service."`
	FakeAI      fakeAICommand      `cmd:"" name:"fake-ai" help:"Start a fake AI provider for development and demos."`
	Version     versionCommand     `cmd:"" help:"Print the version and the revision it was built from."`
	Help        helpCommand        `cmd:"" help:"Show help for a command."`
	VersionFlag kong.VersionFlag   `name:"version" help:"Print the version."`
}

// helpCommand is help written as a command: execute turns it into the flag.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command, such as serve."`
}

// Run is never called.
func (helpCommand) Run() error { return nil }

func main() {
	os.Exit(run(context.Background(), os.Args[1:]))
}

// run executes one command line and returns the exit code. For all but exitDone, there is a message on standard error.
func run(ctx context.Context, args []string) int {
	err := execute(ctx, args)
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(os.Stderr, "masthead:", err)
	switch {
	case errors.As(err, new(usage.Error)):
		return exitUsage
	case errors.As(err, new(usage.FindingsError)):
		return exitFound
	}
	return exitFailed
}

// lineVars are the values of ${} in the tags of commands, from other packages.
func lineVars() kong.Vars {
	return kong.Vars{
		"version": describeBuild(), "fonts": strings.Join(render.Fonts(), ","), "font": render.DefaultFont,
		"starts":   strings.Join(start.Slugs(), ","),
		"template": card.AutoTemplate, "aspect": render.DefaultAspectRatio, "corner": render.DefaultLogoPosition,
		"auditFormats": format.Names,
	}
}

func execute(ctx context.Context, args []string) error {
	if err := dropEmpty(os.Environ(), os.Unsetenv); err != nil {
		return err
	}
	line := commands{Audit: audit.Command{Version: version}}
	parser, err := kong.New(&line, kong.Name("masthead"),
		kong.Description("Masthead gives a web page its face on the internet: "+
			"share images and blog heroes, drawn, stored and served."),
		lineVars(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Resolvers(secretFiles{os.Getenv}))
	if err != nil {
		return fmt.Errorf("build the command line: %w", err)
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	chosen, err := parser.Parse(args)
	if err != nil {
		return explainParsing(parser, err, args)
	}
	if own := settingsOfChosen(chosen); len(own) > 0 {
		warnings, err := checkVariables(os.Environ(), settingsOf(parser), own)
		for _, warning := range warnings {
			fmt.Fprintln(os.Stderr, "masthead:", warning)
		}
		if err != nil {
			return err
		}
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	chosen.BindTo(ctx, (*context.Context)(nil))
	return chosen.Run()
}

// explainParsing rewords an error of the parser. A command line without a command gets the list of commands.
func explainParsing(parser *kong.Kong, err error, args []string) error {
	var fault *kong.ParseError
	if len(args) == 0 && errors.As(err, &fault) {
		parser.Stdout = parser.Stderr
		if err := fault.Context.PrintUsage(false); err != nil {
			return err
		}
		return usage.Errorf("name a command")
	}
	if setting := (usage.Error{}); errors.As(err, &setting) { // from a secret's file, without the flag that it is for
		return setting
	}
	message := err.Error()
	if errors.As(err, &fault) && fault.Context.Selected() != nil {
		message = strings.TrimPrefix(message, fault.Context.Selected().Name+": ") // from a Validate, which the parser calls
	}
	message = noValue.ReplaceAllString(message, "$1 needs a value")
	return usage.Errorf("%s", nameVariables(parser, message))
}

// noValue matches the parser's message about a flag at the end of the line: it contains its end token.
var noValue = regexp.MustCompile(`^(--[a-z][a-z-]+): expected .* but got "EOL" \(<EOL>\)$`)

// untilSignal returns a context that ends with the first termination signal. A second one ends the process immediately.
// The hang-up of a terminal only counts as a first one: the kernel and the shell may both send it. A program started to
// outlive its terminal (nohup) ignores it.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		for s := range signals {
			switch {
			case ctx.Err() == nil:
				cancel()
			case s != syscall.SIGHUP:
				endBy(s)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

// endBy ends the process by a signal that it handled before.
func endBy(s os.Signal) {
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(s) != nil {
		os.Exit(1)
	}
}

var flagName = regexp.MustCompile(`--[a-z][a-z-]+`)

// nameVariables adds the variable to each flag in a message, since wrong values are mostly there.
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
