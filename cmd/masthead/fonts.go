package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"masthead/cmd/masthead/usage"
	"masthead/fonts"
	"masthead/pkg/fontfile"
	"masthead/render/text"
)

// fontsConfig configures additional fonts.
type fontsConfig struct {
	Dir string `name:"fonts-dir" env:"MASTHEAD_FONTS_DIR" placeholder:"FOLDER" help:"Folder with up to 64 of your own typefaces (.ttf, .otf), used before ours for characters that the chosen family lacks."`
}

// add adds the fonts, before anything is drawn.
func (c fontsConfig) add() error {
	if c.Dir == "" {
		return nil
	}
	if err := fonts.AddDir(c.Dir); err != nil {
		return usage.Errorf("MASTHEAD_FONTS_DIR: %w", err)
	}
	return nil
}

// maxTypefaces is how many files one card can have, as many as a project.
const maxTypefaces = 12

// typefaces are fonts of the user's, in files, for the cards of one command.
type typefaces struct {
	Files []string `name:"font-file" sep:"none" placeholder:"FILE" help:"Typeface of your own (.ttf, .otf, .woff, .woff2), once for each file. A --design uses it where it names its family; our designs set all texts in the family of the first."`
}

// load reads the fonts; nil if there are none.
func (t typefaces) load(ctx context.Context) (*text.Fonts, error) {
	if len(t.Files) == 0 {
		return nil, nil
	}
	if len(t.Files) > maxTypefaces {
		return nil, usage.Errorf("--font-file: a card has at most %d typefaces", maxTypefaces)
	}
	var list []fonts.File
	for _, name := range t.Files {
		font, err := readTypeface(ctx, name)
		if err != nil {
			return nil, usage.Errorf("--font-file %s: %w", name, err)
		}
		list = append(list, fonts.File{
			Family: font.Family, MinWeight: font.MinWeight, MaxWeight: font.MaxWeight, Italic: font.Italic, Data: font.Data,
		})
	}
	return text.NewFonts(fonts.NewSet(list), list[0].Family, list[0].Family), nil
}

// readTypeface reads and checks one file.
func readTypeface(ctx context.Context, name string) (fontfile.Font, error) {
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return fontfile.Font{}, errors.New("there is no such file")
	}
	if err != nil {
		return fontfile.Font{}, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, fontfile.MaxBytes+1))
	if err != nil {
		return fontfile.Font{}, err
	}
	font, err := fontfile.Read(ctx, data)
	if err != nil {
		return font, fmt.Errorf("it can't be used: %w", err)
	}
	return font, nil
}
