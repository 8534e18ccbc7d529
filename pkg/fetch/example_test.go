package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

// A job fetches a page and what hangs on it. Loopback is opened for this one server, as a developer would do;
// everything else that is private stays closed.
func Example() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metadata" {
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
			return
		}
		fmt.Fprint(w, "<title>Hello</title>")
	}))
	defer site.Close()

	client, err := fetch.New(fetch.Config{Allow: []string{site.Listener.Addr().String()}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	job, cancel := client.NewJob(context.Background())
	defer cancel()

	address, err := weburl.Parse(site.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := job.Get(context.Background(), address, fetch.Page)
	fmt.Println(page.Status, string(page.Body), err)
	metadata, err := address.Resolve("/metadata")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = job.Get(context.Background(), metadata, fetch.Icon)
	fmt.Println(errors.Is(err, fetch.ErrRefused))
	// Output:
	// 200 <title>Hello</title> <nil>
	// true
}
