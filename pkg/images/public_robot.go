package images

import (
	"context"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
)

// stored answers a crawler that has nothing drawn: with the picture of the page, else with that of the site's home page
// in the same design, else with a card of the site's address, which is remembered for all of the site's pages.
func (s *Service) stored(ctx context.Context, j *job, ifNoneMatch string) (Response, error) {
	if p, err := s.storedOf(ctx, j, ifNoneMatch); err == nil || !isFault(err) {
		return p, err
	}
	root, err := j.request.Page().Resolve("/")
	if err != nil {
		return Response{}, err
	}
	home := *j
	home.request.URL = root.String()
	if err := s.normalise(ctx, &home); err != nil {
		return Response{}, inQuery(err)
	}
	if p, err := s.storedOf(ctx, &home, ifNoneMatch); err == nil || !isFault(err) {
		p.Fallback, p.Short = fallbackRobot, true
		return p, err
	}
	if j.public.project.Closed {
		return Response{}, apperr.New(apperr.NotFound, "There is no project or image with this public id.")
	}
	home.key += " for robots" // others have the home page drawn
	if card, known, err := s.memory.cards.find(home.key); known || err != nil {
		return card.picture(ifNoneMatch), err
	}
	return s.fallback(ctx, &home, fallbackRobot, ifNoneMatch)
}

// storedOf returns the picture that is stored for a job, as it is; a fault as isFault says if there is none.
func (s *Service) storedOf(ctx context.Context, j *job, ifNoneMatch string) (Response, error) {
	bounded, cancel := context.WithTimeout(ctx, databaseTime)
	defer cancel()
	found, _, err := s.recall(bounded, j.key)
	if err != nil {
		return Response{}, err
	}
	if found != nil {
		return s.firstOf(ctx, found.row.CacheImage(), ifNoneMatch)
	}
	if !j.request.mayHaveEarlier() {
		return Response{}, blob.ErrNotFound
	}
	kept, known, err := s.byBaseKeys(bounded, j.request)
	if err != nil {
		return Response{}, err
	}
	if !known {
		return Response{}, blob.ErrNotFound
	}
	p, err := s.firstOf(ctx, kept.CacheImage(), ifNoneMatch)
	p.Short = true // it is of an earlier version of the project's design, or an earlier brand
	return p, err
}
