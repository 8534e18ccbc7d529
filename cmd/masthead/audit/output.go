package audit

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/audit/format"
)

// output is a report to write: its format and its file, or "" for standard output.
type output struct{ format, file string }

// extensions are the formats that a file extension can mean.
var extensions = map[string][]string{
	".sarif": {"sarif"}, ".md": {"markdown"}, ".xml": {"junit"}, ".txt": {"text", "github"}, ".json": {"json", "sarif"},
	".jsonl": {"json"},
}

// outputs returns the outputs of --format and --output, standard output first.
func (c *Command) outputs() ([]output, error) {
	formats := slices.Clone(c.Format)
	if c.JSON {
		formats = append(formats, "json")
	}
	slices.Sort(formats)
	formats = slices.Compact(formats)
	known := strings.Split(format.Names, ",")
	var files []output
	for _, text := range c.Output {
		name, file, ok := strings.Cut(text, "=")
		if !ok || !slices.Contains(known, name) {
			if ok && len(formats) == 0 {
				return nil, usage.Errorf("--output %s: there is no format %q, only %s", text, name, strings.Join(known, ", "))
			}
			if len(formats) != 1 || len(c.Output) != 1 {
				return nil, usage.Errorf("--output %s: say the format of the file: --output FORMAT=FILE, such as sarif=%[1]s", text)
			}
			name, file = formats[0], text
			if fit := extensions[filepath.Ext(file)]; fit != nil && !slices.Contains(fit, name) {
				return nil, usage.Errorf("--output %s: its name means %s, but --format is %s: write --output %s=%[1]s",
					file, fit[0], name, fit[0])
			}
		}
		switch {
		case file == "":
			return nil, usage.Errorf("--output %s names no file", text)
		case file == "-":
			return nil, usage.Errorf("--output %s: --format %s prints it", text, name)
		case slices.ContainsFunc(files, func(o output) bool { return o.file == file }):
			return nil, usage.Errorf("--output: %s is named twice", file)
		}
		files = append(files, output{name, file})
	}
	printed := slices.DeleteFunc(formats, func(name string) bool {
		return slices.ContainsFunc(files, func(o output) bool { return o.format == name })
	})
	switch {
	case len(printed) > 1:
		return nil, usage.Errorf("--format %s: one format is printed, the others need a file: --output %s=FILE",
			strings.Join(printed, ", "), printed[1])
	case len(printed) == 1:
		return append([]output{{printed[0], ""}}, files...), nil
	case len(c.Format) == 0 && !c.JSON:
		return append([]output{{"text", ""}}, files...), nil
	}
	return files, nil
}

// prints reports whether a format is written to standard output.
func prints(outputs []output, name string) bool {
	return slices.Contains(outputs, output{name, ""})
}

// writeReports writes the reports. All files are written even if standard output fails.
func writeReports(outputs []output, out io.Writer, audited []format.Page, o format.Options) error {
	var fault error
	for _, to := range outputs {
		var err error
		if to.file == "" {
			o.Color = targets.Colored(out)
			err = format.Write(out, to.format, audited, o)
		} else {
			o.Color = false
			err = writeReport(to, audited, o)
		}
		if fault == nil {
			fault = err
		}
	}
	return fault
}

// writeReport writes a report into a file.
func writeReport(to output, audited []format.Page, o format.Options) error {
	var b strings.Builder
	if err := format.Write(&b, to.format, audited, o); err != nil {
		return err
	}
	if err := os.WriteFile(to.file, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
