package images

import (
	"context"
	"errors"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/etag"
	"masthead/pkg/files"
	"masthead/pkg/identity"
	"masthead/pkg/imagecache"
	"masthead/pkg/images/store"
	"masthead/pkg/images/uses"
	"masthead/pkg/projects"
	"masthead/pkg/usage"
)

// Response is a file as it is served, with what its headers say.
type Response struct {
	ETag        string
	ContentType string
	Bytes       []byte
	NotModified bool // the client has it already; then there are no bytes
	// Short says that a better picture may come at the same address: it is cached for minutes only.
	Short bool
	// Fallback says why this is not the picture of the page as it is; "" when it is.
	Fallback string
	// Until is when the address expires, in Unix seconds; 0 for never.
	Until int64
	// spare says that nobody else has Bytes, which were read from the disk.
	spare bool
}

// File returns the picture at a /cdn address. ifNoneMatch is the header of that name, or "". It asks the store of files
// alone: what is kept is served while the database is away.
func (s *Service) File(ctx context.Context, name blob.Name, ifNoneMatch string) (p Response, err error) {
	if strings.HasPrefix(name.ContentType(), "font/") { // its license may forbid that it is served
		return p, errNoFile
	}
	p = Response{
		ETag: etag.OfDigest(name.Digest), ContentType: name.ContentType(), Short: s.files.Outdated(name),
	}
	if p.NotModified = etag.Match(ifNoneMatch, p.ETag); p.NotModified {
		if !blob.IsRemote(s.blobs) { // the client has the bytes, whose digest is in the address
			_, err = s.blobs.Stat(ctx, name)
		}
	} else {
		var unsure bool
		p.Bytes, unsure, err = s.readFile(ctx, name)
		p.Short = p.Short || unsure
		if err == nil && !unsure {
			s.memory.files.Keep(name, p.Bytes)
		}
	}
	if errors.Is(err, blob.ErrNotFound) {
		err = errNoFile
	}
	if err == nil && s.files.Outdated(name) {
		s.used(uses.Use{File: name})
	}
	return p, err
}

// readFile returns a file's bytes, made again where they are damaged. unsure says that they may be damaged inside all
// the same: what their digest is of only the database knows, which is away, or no longer has an image with the file.
func (s *Service) readFile(ctx context.Context, n blob.Name) (data []byte, unsure bool, err error) {
	data, err = s.blobs.Get(ctx, n)
	switch {
	case !n.Valid() || err != nil && !isFault(err):
		return data, false, err
	case err != nil || !n.LooksWhole(data):
		data, err = s.healFile(ctx, n, data, err)
		return data, false, err
	case !s.files.Unsure(n):
		return data, false, nil
	}
	images, err := s.store.Naming(ctx, n, maxNaming)
	if db.IsUnavailable(err) || apperr.CodeOf(err) == apperr.Unavailable || err == nil && len(images) == 0 {
		return data, true, nil
	}
	if err == nil {
		data, err = s.healNamed(ctx, n, images, data, nil)
	}
	return data, false, err
}

// KeptFile is [Service.File] for what can be sent at once: from memory, or by the kernel. ok is false for anything
// else, which is File's to judge.
func (s *Service) KeptFile(name blob.Name, ifNoneMatch string) (k blob.Response, ok bool) {
	tag, of := etag.OfDigest(name.Digest), contentTypeHeaders[name.ContentType()]
	if of == nil { // fonts, too
		return blob.Response{}, false
	}
	k = blob.Response{ETag: []string{tag}, ContentType: of, CacheControl: foreverHeader}
	if s.files.Outdated(name) {
		k.CacheControl = forMinutesHeader
		s.used(uses.Use{File: name})
	}
	if ifNoneMatch != "" && etag.Match(ifNoneMatch, tag) {
		k.NotModified = true
		return k, s.memory.files.Has(name)
	}
	return s.fill(k, name, 0)
}

// KeptImage is [Service.Public] and [Service.OfPage] for what can be sent at once: an image that the index knows, by
// its public id or by an address of its project, with its file. query is the request's as it was sent, agent its
// User-Agent. ok is false for anything else, which is theirs to judge. Who sends the picture tells [Service.Shown].
func (s *Service) KeptImage(publicID, query, ifNoneMatch, agent string) (k blob.Response, ok bool) {
	var found *imagecache.Image
	var until int64
	switch len(publicID) {
	case publicIDLength:
		found = s.memory.index.Find(publicID)
	case projects.PublicIDLength:
		if s.leases == nil { // nobody follows what other processes change: see Follow
			s.projects.Refresh(publicID)
		}
		found, until = s.memory.index.FindAt(imagecache.Address{Project: publicID, Query: query}, s.now().Unix())
	}
	if found == nil {
		return blob.Response{}, false
	}
	k = blob.Response{
		ETag: found.ETag, ContentType: contentTypeHeaders[found.ContentType], CacheControl: foreverHeader,
		ProjectID: found.ProjectID, OwnerID: found.OwnerID, ImageKind: found.Kind,
	}
	if found.Short {
		k.CacheControl = forMinutesHeader
	}
	if until != 0 {
		k.CacheControl = []string{cacheControlOf(Response{Short: found.Short, Until: until}, s.now())}
	}
	if found.Outdated && !s.robots.OnlyStored(agent) {
		s.used(uses.Use{PublicID: found.PublicID})
	}
	if found.Variant {
		s.evictions.Served(found.PublicID)
	}
	if ifNoneMatch != "" && etag.Match(ifNoneMatch, found.ETag[0]) {
		k.NotModified = true
		return k, true
	}
	return s.fill(k, found.File, found.Size)
}

// Shown counts an image that /og sends, for its owner, whichever way it is sent.
func (s *Service) Shown(k blob.Response) {
	s.usage.Count(usage.PublicHit, k.OwnerID, usage.Source{ProjectID: k.ProjectID, Kind: k.ImageKind})
}

// fill adds the picture, which has the given size unless that is 0.
func (s *Service) fill(k blob.Response, name blob.Name, size int64) (blob.Response, bool) {
	if s.files.Unsure(name) {
		return blob.Response{}, false
	}
	if k.Bytes = s.memory.files.Find(name); k.Bytes != nil {
		s.metrics.memory.Inc()
		k.Size = int64(len(k.Bytes))
		return k, size == 0 || k.Size == size
	}
	var err error
	if k.Bytes, k.File, k.Size, err = s.memory.files.Open(name); err != nil {
		return blob.Response{}, false
	}
	if size != 0 && k.Size != size {
		k.Close()
		return blob.Response{}, false
	}
	s.metrics.kernel.Inc()
	return k, true
}

// Header values that many responses share.
var (
	foreverHeader      = []string{forever}
	forMinutesHeader   = []string{forMinutes}
	contentTypeHeaders = map[string][]string{"image/png": {"image/png"}, "image/jpeg": {"image/jpeg"}}
)

// Public returns the current picture of the image that publicID names, or its first, which stands for the others. One
// that was shown lately is not asked of the database. One whose file is lost or damaged is made again; when that cannot
// be, it is a card made of the page's address.
func (s *Service) Public(ctx context.Context, publicID, ifNoneMatch string) (Response, error) {
	if len(publicID) != publicIDLength || strings.Trim(publicID, base62.Alphabet) != "" {
		return Response{}, store.ErrNoImage // and nothing that a database could not even compare
	}
	found, err := s.shownImage(ctx, publicID)
	if err != nil {
		return Response{}, err
	}
	robot := s.robots.OnlyStored(identity.CallerOf(ctx).Agent)
	if found.Outdated && !robot {
		s.used(uses.Use{PublicID: publicID})
	}
	p, err := s.firstOf(ctx, found, ifNoneMatch)
	if !isFault(err) {
		p.spare = err == nil && !blob.IsRemote(s.blobs)
		return p, err
	}
	s.memory.index.Forget(publicID)
	kept, err2 := s.store.ByPublicID(ctx, publicID)
	if err2 != nil {
		return Response{}, err2 // it was deleted meanwhile
	}
	if fresh := kept.CacheImage(); fresh.File.Digest != found.File.Digest { // it was drawn again meanwhile
		if p, err = s.firstOf(ctx, fresh, ifNoneMatch); !isFault(err) {
			return p, err
		}
	}
	if robot {
		return s.instead(ctx, kept, ifNoneMatch)
	}
	return s.healed(ctx, kept, errors.Is(err, blob.ErrDamaged), ifNoneMatch)
}

// healed returns the picture of an image whose file is lost or damaged, made again.
func (s *Service) healed(
	ctx context.Context, kept store.Image, damaged bool, ifNoneMatch string,
) (p Response, err error) {
	n := kept.Files[0].BlobName()
	if damaged {
		if err := s.files.Discard(ctx, n, kept.ProjectID); err != nil {
			return Response{}, err
		}
	}
	lost := kept
	if kept, err = s.heal(ctx, kept, n); err == nil {
		p, err = s.firstOf(ctx, kept.CacheImage(), ifNoneMatch)
	}
	if isFault(err) || errors.Is(err, errLost) {
		return s.instead(ctx, lost, ifNoneMatch)
	}
	return p, err
}

// shownImage returns an image by its public id: from the index, else from the database for the index.
func (s *Service) shownImage(ctx context.Context, publicID string) (*imagecache.Image, error) {
	if found := s.memory.index.Find(publicID); found != nil {
		return found, nil
	}
	state := s.memory.index.State()
	read, err := s.store.Shown(ctx, publicID)
	if err != nil {
		return nil, err
	}
	s.metrics.read.Inc()
	s.memory.index.Put(read, state)
	return read, nil
}

// firstOf returns the first picture of an image; [blob.ErrNotFound] and [blob.ErrDamaged] when it is lost.
func (s *Service) firstOf(ctx context.Context, i *imagecache.Image, ifNoneMatch string) (p Response, err error) {
	p = Response{ETag: i.ETag[0], ContentType: i.ContentType, Short: i.Short}
	if i.Variant {
		s.evictions.Served(i.PublicID)
	}
	if p.NotModified = etag.Match(ifNoneMatch, p.ETag); p.NotModified {
		return p, nil
	}
	p.Bytes, err = s.blobs.Get(ctx, i.File)
	if n := i.File; err == nil && (!n.LooksWhole(p.Bytes) || s.files.Unsure(n)) {
		if files.Digest(i.ProjectID, p.Bytes) != n.Digest {
			return p, blob.ErrDamaged
		}
		s.files.Whole(n)
	}
	if err == nil && int64(len(p.Bytes)) != i.Size {
		err = blob.ErrDamaged
	}
	if err == nil {
		s.memory.files.Keep(i.File, p.Bytes)
	}
	return p, err
}
