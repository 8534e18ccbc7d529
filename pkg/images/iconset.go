package images

import (
	"slices"

	"masthead/pkg/card"
	"masthead/pkg/iconset"
	"masthead/pkg/images/store"
)

// Asset is one of the files that a record lists: of an icon set all, of a card those in other sizes.
type Asset struct {
	store.File
	URL string
}

// assets are those of a record; of an icon set from small to large.
func (s *Service) assets(r Record) (assets []Asset) {
	if r.Kind != card.IconSet {
		for _, f := range r.Files[1:] {
			assets = append(assets, Asset{f, s.fileURL(f)})
		}
		return assets
	}
	for _, name := range iconset.Names() {
		if i := slices.IndexFunc(r.Files, func(f store.File) bool { return f.Name == name }); i >= 0 {
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
