package images

import (
	"context"
	"testing"
	"time"

	"masthead/pkg/db/dbtest"
	"masthead/pkg/worker"
)

// TestQueue_patientJobComesAfterOthers has all workers draw. A job of a batch waits until one of them is free, while
// that of a caller who waits gets its turn at once.
func TestQueue_patientJobComesAfterOthers(t *testing.T) {
	t.Parallel()
	st := newStorage(t, dbtest.SQLite(t))
	drawn := make(chan struct{})
	for range st.workers.Drawing.Workers() {
		go func() {
			_, err := worker.Do(t.Context(), st.workers.Drawing, worker.Work{Stage: "draw"},
				func(context.Context) (int, error) { <-drawn; return 0, nil })
			if err != nil {
				t.Error(err)
			}
		}()
	}
	for !st.workers.Busy() {
		time.Sleep(time.Millisecond)
	}
	work, err := st.tasks.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer work.End()
	turn := func(patient bool) error {
		j := &job{caller: st.caller(), work: work}
		j.request.Patient = patient
		err := st.queue(t.Context(), j)
		if err == nil {
			j.leave()
		}
		return err
	}
	patient := make(chan error, 1)
	go func() { patient <- turn(true) }()
	for range 10 {
		if err := turn(false); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-patient:
		t.Fatalf("the patient job had its turn while all workers were busy: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	close(drawn)
	if err := <-patient; err != nil {
		t.Errorf("the patient job: got %v, want its turn", err)
	}
}
