package images

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
	"masthead/pkg/etag"
	"masthead/pkg/iconset"
	"masthead/pkg/identity"
	"masthead/pkg/weburl"
)

// This file makes the archive of an image, from its record and the files that are kept.

// metaTagsName is the file of an archive that has the elements for the page's head.
const metaTagsName = "meta-tags.html"

// archiveForm is raised when the same image makes another archive than before.
const archiveForm = "2"

// maxDownloadTries is how often an archive is begun again since its image was drawn again meanwhile.
const maxDownloadTries = 3

// Archive is an image as it is downloaded.
type Archive struct {
	// Name is the file's, in ASCII.
	Name        string
	ETag        string
	Bytes       []byte
	NotModified bool // the client has it already; then there are no bytes
}

// Download returns the archive of one image of the caller; with a scoped key of one of its project. extras asks for
// more than the six icons of a set and their manifest. ifNoneMatch is the header of that name, or "". The same image
// gives the same bytes. Files that are lost are made again.
func (s *Service) Download(
	ctx context.Context, caller identity.Caller, id string, extras bool, ifNoneMatch string,
) (Archive, error) {
	for try := 1; ; try++ {
		record, err := s.Get(ctx, caller, id)
		if err != nil {
			return Archive{}, err
		}
		extras := extras && record.Kind == card.IconSet
		a := Archive{Name: archiveName(record), ETag: archiveTag(record, extras)}
		if a.NotModified = etag.Match(ifNoneMatch, a.ETag); a.NotModified {
			return a, nil
		}
		files, err := s.readFiles(ctx, record)
		switch {
		case apperr.CodeOf(err) == apperr.NotFound && try < maxDownloadTries:
			continue // it was drawn anew since its record was read, or just now, since a file was lost
		case apperr.CodeOf(err) == apperr.NotFound:
			return Archive{}, errLost
		case err != nil:
			return Archive{}, err
		}
		if files, err = record.archived(files, extras); err != nil {
			return Archive{}, err
		}
		a.Bytes, err = iconset.Zip(files)
		return a, err
	}
}

// readFiles returns the files of an image, made again where they are lost; NotFound when one cannot be.
func (s *Service) readFiles(ctx context.Context, r Record) ([]iconset.File, error) {
	files := make([]iconset.File, len(r.Files))
	for i, f := range r.Files {
		p, err := s.File(ctx, f.BlobName(), "")
		if err != nil {
			return nil, fmt.Errorf("read %s of image %s: %w", f.Name, r.ID, err)
		}
		files[i] = iconset.File{Name: f.Name, Data: p.Bytes}
	}
	return files, nil
}

// archived are the files of the image's archive, given those that are kept.
func (r Record) archived(kept []iconset.File, extras bool) ([]iconset.File, error) {
	if r.Kind != card.IconSet {
		return append(kept, iconset.File{Name: metaTagsName, Data: []byte(r.MetaTags)}), nil
	}
	return iconset.Files(r.site(), kept, extras)
}

// site is what the manifest of an icon set tells.
func (r Record) site() iconset.Site { return card.SiteOf(r.Page, r.page()) }

// page is the address of the image's page; zero if it is not to be read any more.
func (r Record) page() weburl.URL {
	u, err := weburl.Parse(r.URL)
	if err != nil {
		return weburl.URL{}
	}
	return u
}

// archiveTag is the validator of an archive: it is another one whenever the bytes are.
func archiveTag(r Record, extras bool) string {
	h := sha256.New()
	fmt.Fprintln(h, archiveForm, extras, r.MetaTags, r.site())
	for _, f := range r.Files {
		fmt.Fprintln(h, f.Name, f.Digest)
	}
	return etag.OfDigest(hex.EncodeToString(h.Sum(nil)))
}

// archiveName is what an archive is called: "example.com-icons.zip".
func archiveName(r Record) string {
	what := strings.ReplaceAll(string(r.Kind), "_", "-")
	if r.Kind == card.IconSet {
		what = "icons"
	}
	host := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '.', c == '-':
			return c
		}
		return '-' // the colons of an IPv6 address
	}, card.Host(r.page()))
	return strings.Trim(host, ".-") + "-" + what + ".zip"
}
