package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"masthead/pkg/tracing"
)

// logConfig configures logging.
type logConfig struct {
	Level  string `name:"log-level" env:"MASTHEAD_LOG_LEVEL" default:"info" help:"debug, info, warn or error."`
	Format string `name:"log-format" env:"MASTHEAD_LOG_FORMAT" default:"" help:"text or json. If empty, text on a terminal and json elsewhere."`
}

func (c logConfig) validate() error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		return fmt.Errorf("MASTHEAD_LOG_LEVEL must be debug, info, warn or error, not %q", c.Level)
	}
	if c.Format != "" && c.Format != "text" && c.Format != "json" {
		return fmt.Errorf("MASTHEAD_LOG_FORMAT must be text or json, not %q", c.Format)
	}
	return nil
}

// logger returns a logger that writes to f.
func (c logConfig) logger(f *os.File) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.Level)) // checked by validate
	options := &slog.HandlerOptions{Level: level}
	var lines slog.Handler = slog.NewJSONHandler(io.Writer(f), options)
	if c.Format == "text" || (c.Format == "" && isTerminal(f)) {
		lines = slog.NewTextHandler(io.Writer(f), options)
	}
	return slog.New(tracing.Handler(lines))
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
