package card

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
)

// keyForm has everything that identifies a picture, after defaults. Its JSON is canonical: the fields are in the order
// of the struct, and those that a kind doesn't use are omitted.
type keyForm struct {
	// Form is incremented when the meaning of a field changes.
	Form      int      `json:"form"`
	ProjectID string   `json:"projectId"`
	URL       string   `json:"url"`
	Kind      Kind     `json:"kind"`
	Template  string   `json:"template,omitempty"`
	Style     *Style   `json:"style,omitempty"`
	AI        *AI      `json:"ai,omitempty"`
	Content   *Content `json:"content,omitempty"`
	Version   string   `json:"v,omitempty"`
	// Design is the digest of a version of the project's own design, Size the sides of the kind custom, and Sizes those of
	// further files. Sizes that the design lists aren't here.
	Design string          `json:"design,omitempty"`
	Size   []int           `json:"size,omitempty"`
	Sizes  [][2]int        `json:"sizes,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

// Key returns the key of the picture for a normalized request in a project, or "": SHA-256 in hex.
func (r Request) Key(projectID string) (string, error) {
	version := ""
	if r.Design != nil {
		version = r.Design.Digest()
	}
	return r.keyWith(projectID, version)
}

// BaseKey is Key for everything that may change without the request: all versions of the project's own design and of
// its fonts, and all brands, as far as the request leaves them open. It is "" for a request that depends on none.
func (r Request) BaseKey(projectID string) (string, error) {
	if r.Design == nil && r.Open&OpenBrand == 0 {
		return "", nil
	}
	version := ""
	r = r.Without(r.Open)
	if r.Design != nil {
		version, r.Style.Fonts = "design "+r.Design.ID, nil
	}
	return r.keyWith(projectID, version)
}

func (r Request) keyWith(projectID, version string) (string, error) {
	form := keyForm{Form: 1, ProjectID: projectID, URL: r.URL, Kind: r.Kind, Version: r.Version}
	if r.Kind != IconSet {
		style := r.Style
		form.Template, form.Style, form.AI = r.Template, &style, r.AI
		form.Design, form.Data = version, r.Data
	}
	if r.Size != (image.Point{}) {
		form.Size = []int{r.Size.X, r.Size.Y}
	}
	for _, size := range r.Sizes {
		form.Sizes = append(form.Sizes, [2]int{size.X, size.Y})
	}
	if r.Content != (Content{}) { // an icon set's is its favicon
		form.Content = &r.Content
	}
	text, err := json.Marshal(form)
	if err != nil {
		return "", fmt.Errorf("encode the cache key: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
