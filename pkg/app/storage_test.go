package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestOpen_nodesThatStartAtOnceShareTheFolder opens many nodes on one folder at the same moment, again and again.
func TestOpen_nodesThatStartAtOnceShareTheFolder(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		first := apptest.Start(t, apptest.OnDatabase(cfg))
		var work sync.WaitGroup
		for range 8 {
			work.Go(func() {
				for range 3 {
					opened, err := app.Open(t.Context(), first.Config)
					if err == nil {
						err = opened.Close()
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		work.Wait()
		left, err := filepath.Glob(filepath.Join(first.Config.DataDir, ".*"))
		if err != nil || len(left) > 0 {
			t.Errorf("got %v, %v, want nothing left", left, err)
		}
	})
}

// TestStorage_keepersAtOnceLeaveOneWholeFile keeps a file from many sides at once.
func TestStorage_keepersAtOnceLeaveOneWholeFile(t *testing.T) {
	s := app.Storage{DataDir: t.TempDir()}
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			for range 20 {
				if err := s.Keep("kept", []byte(strings.Repeat(fmt.Sprint(i), 1000*(i+1)))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	kept, err := s.Kept("kept")
	if err != nil || len(kept) == 0 || string(kept) != strings.Repeat(string(kept[:1]), len(kept)) || len(kept)%1000 != 0 {
		t.Errorf("got %d bytes, %v, want those of one", len(kept), err)
	}
	if names, err := os.ReadDir(s.DataDir); err != nil || len(names) != 1 {
		t.Errorf("got %v, %v, want the one file", names, err)
	}
}
