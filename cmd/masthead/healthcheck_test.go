package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

func TestHealthcheck_asksWhetherTheServiceIsReady(t *testing.T) {
	t.Parallel()
	check := func(addr string) runResult {
		return masthead(t, t.TempDir(), "", []string{"MASTHEAD_ADDR=" + addr}, "healthcheck")
	}
	s := apptest.Start(t)
	addr := strings.TrimPrefix(s.Base, "http://")
	check(addr).want(t, exitDone)
	check("0.0.0.0"+addr[strings.LastIndex(addr, ":"):]).want(t, exitDone)
	check("127.0.0.1:1").want(t, exitFailed, "doesn't respond")
	check("127.0.0.1").want(t, exitUsage, "MASTHEAD_ADDR must be HOST:PORT")
	leaving := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, "leaving "+r.URL.Path)
	}))
	defer leaving.Close()
	check(leaving.Listener.Addr().String()).want(t, exitFailed, "isn't ready: 503", "leaving /readyz")
}
