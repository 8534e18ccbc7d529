package blob

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"masthead/pkg/apperr"
)

const gigabyte = 1 << 30

func TestRoom_leastFreeDependsOnTheDisk(t *testing.T) {
	for name, c := range map[string]struct {
		free, total uint64
		want        error
	}{
		"large disk, enough":        {2 * gigabyte, 1000 * gigabyte, nil},
		"large disk, below 2 GB":    {2*gigabyte - 1, 1000 * gigabyte, ErrNoRoom},
		"20 GB, enough":             {gigabyte, 20 * gigabyte, nil},
		"20 GB, below 5 %":          {gigabyte - 1, 20 * gigabyte, ErrNoRoom},
		"small disk, enough":        {256 << 20, 300 << 20, nil},
		"small disk, below 256 MiB": {256<<20 - 1, 300 << 20, ErrNoRoom},
		"full":                      {0, gigabyte, ErrNoRoom},
	} {
		space := func(string) (free, total uint64, err error) { return c.free, c.total, nil }
		d, err := OpenDisk(Config{Dir: t.TempDir(), Space: space})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Room(t.Context()); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		n := Name{Digest: strings.Repeat("ab", 32), File: "og.png"}
		if err := d.Put(t.Context(), n, []byte("x")); !errors.Is(err, c.want) {
			t.Errorf("%s: put: got %v, want %v", name, err, c.want)
		}
	}
}

func TestRoom_answerIsOfLately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var free uint64 = gigabyte
		var fault error
		asked := 0
		d, err := OpenDisk(Config{Dir: t.TempDir(), Space: func(string) (uint64, uint64, error) {
			asked++
			return free, gigabyte, fault
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			free  uint64
			fault error
			want  error
		}{
			{gigabyte, nil, nil}, {0, nil, ErrNoRoom}, {0, errors.ErrUnsupported, nil}, {0, nil, ErrNoRoom}, {gigabyte, nil, nil},
		} {
			free, fault = step.free, step.fault
			time.Sleep(roomFresh)
			for range 3 {
				if err := d.Room(t.Context()); !errors.Is(err, step.want) {
					t.Errorf("%+v: got %v", step, err)
				}
			}
		}
		if asked != 5 {
			t.Errorf("the file system was asked %d times, want 5", asked)
		}
	})
}

func TestSpaceOf_tellsSomething(t *testing.T) {
	free, total, err := spaceOf(t.TempDir())
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil || total == 0 || free > total {
		t.Errorf("got %d of %d, %v", free, total, err)
	}
}

func TestFault_momentIsUnavailable(t *testing.T) {
	for cause, want := range map[error]apperr.Code{
		syscall.ENOSPC: apperr.Unavailable, syscall.EDQUOT: apperr.Unavailable, syscall.EMFILE: apperr.Unavailable,
		syscall.ENFILE: apperr.Unavailable, syscall.EIO: apperr.Internal,
	} {
		err := fault("write", cause)
		if got := apperr.CodeOf(err); got != want || !errors.Is(err, cause) {
			t.Errorf("%v: got %s, %v, want %s", cause, got, err, want)
		}
	}
}
