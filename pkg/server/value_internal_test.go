package server

import (
	"testing"

	"masthead/gen"
)

// TestSet_typesOfResponses has a response, one with headers, and one of another type, which goes through JSON.
func TestSet_typesOfResponses(t *testing.T) {
	var project gen.Project
	if !set(&project, gen.GetProject200JSONResponse{Name: "a"}) || project.Name != "a" {
		t.Errorf("a response: %v", project)
	}
	if !set(&project, gen.CreateProject201JSONResponse{Body: gen.Project{Name: "b"}}) || project.Name != "b" {
		t.Errorf("a response with headers: %v", project)
	}
	for name, other := range map[string]any{
		"another type": gen.GetMe200JSONResponse{}, "no body": gen.DeleteProject204Response{}, "nothing": nil,
	} {
		if set(&project, other) || project.Name != "b" {
			t.Errorf("%s: %v", name, project)
		}
	}
}
