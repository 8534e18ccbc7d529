package moduletest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	api "masthead/gen/client"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

func TestBatchResults_ofEveryRequestInOrder(t *testing.T) {
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.JobsEvery = 10 * time.Millisecond })
	c := open(t, s.Base, s.Key)
	var requests []api.GenerateRequest
	for i := range 100 { // as many as wait on Free; two images
		requests = append(requests, api.GenerateRequest{
			Url: "https://nowhere.example/", ProjectId: uuid.MustParse(s.Project),
			Content: &api.Content{Title: new(fmt.Sprint("Page ", i%2))},
		})
	}
	key := "build-4711"
	made, err := c.CreateBatchWithResponse(t.Context(), &api.CreateBatchParams{IdempotencyKey: &key},
		api.BatchCreate{Requests: requests})
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	for result, err := range c.BatchResults(t.Context(), made.JSON202.Id) {
		if err != nil {
			t.Fatal(err)
		}
		if result.Index != next || result.ImageId == nil || result.PublicUrl == nil {
			t.Errorf("got %+v, want the image of request %d", result, next)
		}
		next++
	}
	if next != len(requests) {
		t.Errorf("got %d results, want %d", next, len(requests))
	}
	for _, err := range c.BatchResults(t.Context(), uuid.MustParse(apptest.Nobody)) {
		if err == nil {
			t.Error("a batch that isn't there has a result")
		}
	}
}
