package images

import (
	"slices"

	"masthead/pkg/card"
	"masthead/pkg/iconset"
	"masthead/render/icon"
	"masthead/render/palette"
)

// takeIcons takes over the set that was drawn for the job. The colours that it is drawn with are those that the record
// tells.
func (j *job) takeIcons(set *icon.Set) {
	j.page.Palette.Accent, j.page.Palette.Background = palette.Hex(set.ThemeColor), palette.Hex(set.BackgroundColor)
	j.treatment, j.warnings, j.drawn = set.Treatment, slices.Concat(set.Warnings, j.unused), nil
	for _, a := range set.Assets {
		d := drawnFile{a.Name, card.PictureOfAsset(a, j.page.SiteName)}
		if a.Name == iconset.Icon512 { // it stands for the others: the image's address names it
			j.drawn = slices.Insert(j.drawn, 0, d)
		} else {
			j.drawn = append(j.drawn, d)
		}
	}
}

// Asset is one of the files that the record of an icon set lists.
type Asset struct {
	File
	URL string
}

// assets are those of an icon set's record, from small to large.
func (s *Service) assets(r Record) []Asset {
	var assets []Asset
	for _, name := range iconset.Names() {
		if i := slices.IndexFunc(r.Files, func(f File) bool { return f.Name == name }); i >= 0 {
			assets = append(assets, Asset{r.Files[i], s.fileURL(r.Files[i])})
		}
	}
	return assets
}

// iconLinks are the elements for a page's head that name the files of an icon set where they are kept.
func iconLinks(r Record) string {
	addresses := map[string]string{}
	var files []iconset.File
	for _, a := range r.Assets {
		addresses[a.Name] = a.URL
		files = append(files, iconset.File{Name: a.Name})
	}
	return iconset.LinksAt(r.site(), files, func(name string) string { return addresses[name] })
}
