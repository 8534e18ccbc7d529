package images

import (
	"slices"

	"masthead/pkg/iconset"
)

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
