package moduletest_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"testing"

	"github.com/google/uuid"

	api "masthead/gen/client"
	"masthead/pkg/app/apptest"
	"masthead/pkg/client"
)

// A download is bytes: the client hands them over as they came, and an error as any other.
func TestClient_downloadsAnIconSet(t *testing.T) {
	s := apptest.StartSignedIn(t)
	build := open(t, s.Base, s.Key)
	set, err := build.GenerateImageWithResponse(t.Context(), nil, api.GenerateRequest{
		Url: s.Site.At("/page/go"), ProjectId: uuid.MustParse(s.Project), Kind: new(api.ImageKindIconSet),
	})
	if err != nil {
		t.Fatal(err)
	}
	if assets := set.JSON200.Assets; assets == nil || len(*assets) != 6 {
		t.Errorf("got the assets %v, want six", assets)
	}
	got, err := build.DownloadImageWithResponse(t.Context(), set.JSON200.Id,
		&api.DownloadImageParams{Extras: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(got.Body), int64(len(got.Body)))
	if err != nil || len(archive.File) < 9 {
		t.Errorf("got %v, %v, want the six, the manifest and more", archive, err)
	}
	_, err = build.DownloadImageWithResponse(t.Context(), uuid.MustParse(apptest.Nobody), nil)
	var problem *client.Problem
	if !errors.As(err, &problem) || problem.Code != api.ErrorCodeNOTFOUND {
		t.Errorf("got %v, want a problem", err)
	}
}
