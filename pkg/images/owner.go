package images

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"masthead/pkg/base62"
	"masthead/pkg/blob"
	"masthead/pkg/card"
	"masthead/pkg/imagecache"
	"masthead/pkg/images/store"
	"masthead/pkg/projects"
)

// maxOwners bounds the public ids whose project and owner are remembered: about 25 MB.
const maxOwners = 100_000

// Owner is whose a public id is; Kind is that of an image, and "" for a project.
type Owner struct {
	ProjectID, OwnerID string
	Kind               card.Kind
}

// owners remembers whose public ids are. That never changes, so nothing in it is ever wrong; what was deleted may be
// known for longer.
type owners = simplelru.LRUCache[string, Owner]

func newOwners() owners {
	known, err := lru.New[string, Owner](maxOwners)
	if err != nil {
		panic(err) // it fails for a bad size alone
	}
	return known
}

// PublicOwner returns the project that a public id is of, or one of whose images it is of, and the project's owner;
// NotFound when there is none.
func (s *Service) PublicOwner(ctx context.Context, publicID string) (Owner, error) {
	if o, ok := s.memory.owners.Get(publicID); ok {
		return o, nil
	}
	var o Owner
	var err error
	switch {
	case strings.Trim(publicID, base62.Alphabet) != "":
		return Owner{}, store.ErrNoImage
	case len(publicID) == publicIDLength:
		var found *imagecache.Image
		if found, err = s.shownImage(ctx, publicID); err == nil { // what follows shows it
			o = Owner{found.ProjectID, found.OwnerID, card.Kind(found.Kind)}
		}
	case len(publicID) == projects.PublicIDLength:
		o.ProjectID, o.OwnerID, err = s.projects.PublicOwner(ctx, publicID)
	default:
		return Owner{}, store.ErrNoImage
	}
	if err != nil {
		return Owner{}, fmt.Errorf("find whose %s is: %w", publicID, err)
	}
	s.memory.owners.Add(publicID, o)
	return o, nil
}

// countPublic finds out for [Service.Shown] whose a public id is, for an answer of /og that was not at hand. kind is
// what was asked of a project, or "".
func (s *Service) countPublic(ctx context.Context, publicID string, kind card.Kind) {
	owner, err := s.PublicOwner(ctx, publicID)
	if err != nil {
		return // a count is worth less than an answer that waits or fails
	}
	s.Shown(blob.Response{
		ProjectID: owner.ProjectID, OwnerID: owner.OwnerID, ImageKind: string(cmp.Or(owner.Kind, kind, card.OG)),
	})
}
