package main

import "masthead/fonts"

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
		return wrongUsage("MASTHEAD_FONTS_DIR: %w", err)
	}
	return nil
}
