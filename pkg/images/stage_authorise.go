package images

import (
	"context"

	"masthead/pkg/apperr"
)

// authorise says whether the key is for the project: FORBIDDEN when it is out of its scope, someone else's, or none. A
// request gets what it names none of from the brand of the project.
func (s *Service) authorise(ctx context.Context, j *job) error {
	forbidden := apperr.New(apperr.Forbidden, "This key may not use this project. projectId must be the id of a project "+
		"of the key's account and, for a key of one project, of that project. GET /projects lists the ids with a session, "+
		"GET /keys shows the project of each key, and `masthead project list` prints them on the server.")
	if j.caller.KeyProjectID != "" && j.caller.KeyProjectID != j.request.ProjectID {
		return forbidden
	}
	project, err := s.projects.Recent(ctx, j.caller, j.request.ProjectID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return forbidden
	}
	if err != nil {
		return err
	}
	j.request, err = s.withBrand(ctx, j.request, project)
	return err
}
