package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"masthead/cmd/masthead/usage"
	api "masthead/gen/client"
	"masthead/pkg/card"
	"masthead/pkg/client"
	"masthead/pkg/humanize"
	"masthead/render/design"
	"masthead/render/design/check"
	"masthead/render/design/start"
	"masthead/render/text"
)

// designCommands are the commands about designs of your own.
type designCommands struct {
	New     designNewCommand     `cmd:"" help:"Begin a design of your own from one of ours."`
	Preview designPreviewCommand `cmd:"" help:"Show a design in the browser, and draw it again when its file is saved."`
	Check   designCheckCommand   `cmd:"" help:"Test designs with pages that are hard to set."`
	Push    designPushCommand    `cmd:"" help:"Store a design in a project of a service."`
}

// designNewCommand writes a document to begin with.
type designNewCommand struct {
	File string `arg:"" help:"File to write, such as posts.html."`
	From string `default:"editorial" enum:"${starts}" help:"Design to begin with: ${enum}."`
}

// Run writes the document.
func (c *designNewCommand) Run() error { return c.run(os.Stdout) }

func (c *designNewCommand) run(out io.Writer) error {
	source, ok := start.Document(c.From)
	if !ok {
		return usage.Errorf("--from: there is no design %s; choose one of %s", c.From, strings.Join(start.Slugs(), ", "))
	}
	if filepath.Ext(c.File) == "" {
		c.File += ".html"
	}
	file, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // a file of a site
	if errors.Is(err, os.ErrExist) {
		return usage.Errorf("%s already exists; name another file", c.File)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, source)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", c.File, err)
	}
	_, err = fmt.Fprintf(out, "%s\n  masthead design preview %[1]s   shows it in the browser\n"+
		"  masthead design check %[1]s     tests it\n", c.File)
	return err
}

// designCheckCommand tests designs.
type designCheckCommand struct {
	Files     []string `arg:"" name:"file" help:"The designs."`
	Size      []string `placeholder:"WxH" help:"Sizes of the card in pixels. By default those that the design lists, or 1200x630."`
	JSON      bool     `name:"json" help:"Print the findings as JSON."`
	SARIF     bool     `name:"sarif" help:"Print the findings as SARIF, for code scanning."`
	Artifacts string   `placeholder:"FOLDER" help:"Write the cards that have findings into this folder, as PNG."`
	All       bool     `help:"Check all scripts in all lengths with all accents, which takes minutes."`

	Fonts     fontsConfig `embed:""`
	Typefaces typefaces   `embed:""`
}

// Help implements kong's HelpProvider.
func (c *designCheckCommand) Help() string {
	return `Draws each design with titles in all scripts and lengths, without each fact, dark and light, on bright and dark
accents and pictures. It finds texts that leave their boxes, are cut off or cover one another, contrast below 4.5:1,
missing characters, tags that no fact fills in, files of more than 300 KB, and texts where platforms cut the card, in
each size that <meta name="card-sizes" content="1200x630, 1080x1080"> lists.
Exits with status 6 if there are findings.

  masthead design check posts.html --artifacts findings/
  masthead design check designs/*.html --sarif > designs.sarif`
}

// Run checks the designs.
func (c *designCheckCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

// checkedFile is the report of one design.
type checkedFile struct {
	File     string          `json:"file"`
	Cases    int             `json:"cases"`
	Findings []check.Finding `json:"findings"`
}

func (c *designCheckCommand) run(ctx context.Context, out io.Writer) error {
	if _, err := readSizes(c.Size); err != nil {
		return err
	}
	if c.JSON && c.SARIF {
		return usage.Errorf("--json and --sarif both print to standard output: use one of them")
	}
	if c.Artifacts != "" {
		if err := makeFolder(c.Artifacts); err != nil {
			return err
		}
	}
	if err := c.Fonts.add(); err != nil {
		return err
	}
	typefaces, err := c.Typefaces.load(ctx)
	if err != nil {
		return err
	}
	var all []checkedFile
	found := 0
	for _, name := range c.Files {
		report, err := c.check(ctx, name, typefaces)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, checkedFile{name, report.Cases, slices.Concat([]check.Finding{}, report.Findings)})
		found += len(report.Findings)
	}
	switch {
	case c.JSON:
		err = printIndented(out, all)
	case c.SARIF:
		err = printIndented(out, designSARIF(all))
	default:
		err = printChecked(out, all)
	}
	if err == nil && found > 0 {
		err = usage.Findings(humanize.Count(found, "finding"))
	}
	return err
}

// check checks one file, and writes the cards with findings.
func (c *designCheckCommand) check(
	ctx context.Context, name string, typefaces *text.Fonts,
) (*check.Report, error) {
	source, folder, err := openDesign(name)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	pictures := newDesignPictures(ctx, folder.FS())
	defer pictures.engine.Close()
	report, err := c.checkSizes(ctx, source, check.Options{
		All: c.All, SVG: pictures.draw, Fonts: typefaces,
		Image: func(address string) design.Image { return pictures.get(address) },
	})
	if err != nil || c.Artifacts == "" {
		return report, err
	}
	base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	for at, picture := range report.Pictures {
		file := base + "-" + strings.ReplaceAll(at, " ", "-") + ".png"
		if err := os.WriteFile(filepath.Join(c.Artifacts, file), picture, 0o644); err != nil {
			return nil, err
		}
	}
	return report, nil
}

// checkSizes checks a document in each of its sizes. What is wrong whatever the size is found once.
func (c *designCheckCommand) checkSizes(
	ctx context.Context, source string, opts check.Options,
) (*check.Report, error) {
	sizes, err := sizesFor(c.Size, source)
	if err != nil { // the check says where
		sizes = []image.Point{card.OGSize}
	}
	all := &check.Report{Pictures: map[string][]byte{}}
	for _, size := range sizes {
		opts.Width, opts.Height = size.X, size.Y
		report, err := check.Check(ctx, source, opts)
		if err != nil {
			return nil, err
		}
		at := ""
		if len(sizes) > 1 {
			at = " at " + card.SizeName(size)
		}
		all.Cases += report.Cases
		for _, f := range report.Findings {
			same := func(o check.Finding) bool {
				return o.Code == f.Code && o.Line == f.Line && o.Column == f.Column && o.Message == f.Message
			}
			if i := slices.IndexFunc(all.Findings, same); i >= 0 {
				all.Findings[i].Cases += f.Cases
				continue
			}
			picture, ok := report.Pictures[f.Case]
			if f.Case += at; ok {
				all.Pictures[f.Case] = picture
			}
			all.Findings = append(all.Findings, f)
		}
	}
	return all, nil
}

// printChecked prints findings for people.
func printChecked(out io.Writer, all []checkedFile) error {
	var b bytes.Buffer
	for _, of := range all {
		for _, f := range of.Findings {
			fmt.Fprintf(&b, "%s:%d:%d: %s: %s (%s", of.File, max(f.Line, 1), max(f.Column, 1), f.Code, f.Message, f.Case)
			if f.Cases > 1 {
				fmt.Fprintf(&b, " and %d more", f.Cases-1)
			}
			b.WriteString(")\n")
		}
		if len(of.Findings) == 0 {
			fmt.Fprintf(&b, "%s: no findings in %d cards\n", of.File, of.Cases)
		}
	}
	_, err := out.Write(b.Bytes())
	return err
}

func printIndented(out io.Writer, v any) error {
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false)
	to.SetIndent("", " ")
	return to.Encode(v)
}

// designSARIF returns findings as a log of SARIF 2.1.0.
func designSARIF(all []checkedFile) any {
	type object = map[string]any
	rules, results := []any{}, []any{}
	known := map[check.Code]int{}
	for _, of := range all {
		for _, f := range of.Findings {
			if _, ok := known[f.Code]; !ok {
				known[f.Code] = len(rules)
				rules = append(rules, object{"id": f.Code, "name": f.Code})
			}
			results = append(results, object{
				"ruleId": f.Code, "ruleIndex": known[f.Code], "level": "error",
				"message": object{"text": f.Message + " Case: " + f.Case + "."},
				"locations": []any{object{"physicalLocation": object{
					"artifactLocation": object{"uri": filepath.ToSlash(of.File)},
					"region":           object{"startLine": max(f.Line, 1), "startColumn": max(f.Column, 1)},
				}}},
			})
		}
	}
	return object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []any{object{
			"tool":       object{"driver": object{"name": "Masthead designs", "version": describeBuild(), "rules": rules}},
			"columnKind": "unicodeCodePoints", "results": results,
		}},
	}
}

// openDesign reads a design, and opens its folder, which has its pictures.
func openDesign(name string) (source string, folder *os.Root, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", nil, usage.Wrap(err)
	case info.IsDir():
		return "", nil, usage.Errorf("%s is a folder", name)
	case info.Size() > design.MaxBytes:
		return "", nil, usage.Errorf("%s has more than %d KB", name, design.MaxBytes>>10)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return "", nil, err
	}
	folder, err = os.OpenRoot(filepath.Dir(name))
	return string(raw), folder, err
}

// designPushCommand stores a design in a service.
type designPushCommand struct {
	File    string `arg:"" help:"The design."`
	Service string `required:"" env:"MASTHEAD_SERVICE" placeholder:"URL" help:"The service, such as https://masthead.example."`
	Key     string `required:"" env:"MASTHEAD_KEY" help:"API key of the project or the account; better as a variable than as a flag."`
	Project string `required:"" env:"MASTHEAD_PROJECT" placeholder:"ID" help:"The project's ID."`
	Slug    string `help:"Name of the design in requests. By default that of the file."`
	Name    string `help:"Name for people. By default unchanged, or the slug of a new design."`
}

// pushTime bounds each request of a push.
const pushTime = 30 * time.Second

// Run stores the design.
func (c *designPushCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *designPushCommand) run(ctx context.Context, out io.Writer) error {
	source, folder, err := openDesign(c.File)
	if err != nil {
		return err
	}
	_ = folder.Close() // its pictures are assets of the project
	project, err := uuid.Parse(c.Project)
	if err != nil {
		return usage.Errorf("--project: %q isn't the ID of a project", c.Project)
	}
	slug := c.Slug
	if slug == "" {
		slug = strings.ToLower(strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File)))
	}
	service, err := client.New(c.Service, c.Key, api.WithHTTPClient(&http.Client{Timeout: pushTime}))
	if err != nil {
		return usage.Wrap(err)
	}
	known, err := findDesign(ctx, service, project, slug)
	if err != nil {
		return err
	}
	name := &c.Name
	if c.Name == "" {
		name = nil
	}
	var stored api.DesignWithHtml
	if known == nil {
		r, err := service.CreateDesignWithResponse(ctx, api.DesignCreate{
			ProjectId: project, Slug: slug, Name: name, Html: source,
		})
		if err != nil {
			return pushFault(c.File, err)
		}
		stored = *r.JSON201
	} else {
		r, err := service.UpdateDesignWithResponse(ctx, known.Id, api.DesignUpdate{
			Name: name, Html: &source, BaseVersion: &known.Version,
		})
		if err != nil {
			return pushFault(c.File, err)
		}
		stored = *r.JSON200
	}
	for _, w := range stored.Warnings {
		line, column := 1, 1
		if w.Line != nil && w.Column != nil {
			line, column = *w.Line, *w.Column
		}
		if _, err := fmt.Fprintf(out, "%s:%d:%d: %s\n", c.File, line, column, w.Message); err != nil {
			return err
		}
	}
	if known != nil && known.Version == stored.Version {
		_, err = fmt.Fprintf(out, "%s is version %d already.\n", slug, stored.Version)
		return err
	}
	_, err = fmt.Fprintf(out, "%s is version %d now. Its images are redrawn when they are used.\n", slug, stored.Version)
	return err
}

// findDesign returns the design of a slug in a project, or nil if there is none.
func findDesign(ctx context.Context, service *client.Client, project uuid.UUID, slug string) (*api.Design, error) {
	limit := 100
	params := &api.ListDesignsParams{ProjectId: &project, Limit: &limit}
	for {
		r, err := service.ListDesignsWithResponse(ctx, params)
		if err != nil {
			return nil, fmt.Errorf("list the project's designs: %w", err)
		}
		for i := range r.JSON200.Items {
			if r.JSON200.Items[i].Slug == slug {
				return &r.JSON200.Items[i], nil
			}
		}
		if params.Cursor = r.JSON200.NextCursor; params.Cursor == nil {
			return nil, nil //nolint:nilnil // no error, and no design
		}
	}
}

// pushFault returns an error of the service for people: a fault of the document with its file.
func pushFault(file string, err error) error {
	var problem *client.Problem
	if errors.As(err, &problem) && problem.Errors != nil {
		for _, of := range *problem.Errors {
			if of.Pointer == "/html" {
				return usage.Errorf("%s: %s", file, of.Detail)
			}
		}
	}
	return fmt.Errorf("store the design: %w", err)
}
