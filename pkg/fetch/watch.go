package fetch

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"sync/atomic"
)

// watch records how far one request came. Its hooks are called by goroutines of net/http.
type watch struct{ connected, heard atomic.Bool }

// watching returns ctx for a request that w watches.
func (w *watch) watching(ctx context.Context) context.Context {
	connected := func() { w.connected.Store(true) }
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { connected() },
		TLSHandshakeStart:    connected,
		GotFirstResponseByte: func() { w.heard.Store(true) },
	})
}

// outcome is what the request, which ended with err, shows about its host. patient means that it had enough time.
func (w *watch) outcome(err error, patient bool) outcome {
	var timeout net.Error
	var connect *connectError
	late := errors.As(err, &timeout) && timeout.Timeout() && patient
	switch {
	case err == nil || w.heard.Load():
		return answered
	case errors.Is(err, ErrRefused), errors.Is(err, context.Canceled), ours(err):
		return unknown
	case errors.As(err, &connect), late && !w.connected.Load():
		return unreached
	case late:
		return silent
	}
	return unknown
}
