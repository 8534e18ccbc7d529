package tracing

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// The pause before a batch is sent again is firstPause, doubled each time; the collector may ask for a longer one.
const (
	firstPause = time.Second
	// maxAnswer bounds what is read of a collector's answer, in bytes.
	maxAnswer = 4 << 10
)

// upload sends batches of spans by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). It is the
// client of the library's exporter, which otherwise brings gRPC: 93 packages that nothing here uses.
type upload struct {
	client *http.Client
	url    string
	header http.Header
}

// newUpload returns the client of a collector, with the settings that OpenTelemetry's variables have for it
// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
func newUpload(endpoint string) (*upload, error) {
	header, err := headers(variable("HEADERS"))
	if err != nil {
		return nil, err
	}
	timeout := exportTime
	if text := variable("TIMEOUT"); text != "" {
		milliseconds, err := strconv.ParseUint(text, 10, 31)
		if err != nil || milliseconds == 0 {
			return nil, errors.New("OTEL_EXPORTER_OTLP_TIMEOUT must be a number of milliseconds, such as 10000")
		}
		timeout = time.Duration(milliseconds) * time.Millisecond
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 64 << 10,
	}
	if file := variable("CERTIFICATE"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %s has no certificate in PEM format", file)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return &upload{
		client: &http.Client{
			Transport: transport, Timeout: timeout,
			// Headers may have a secret, which is for nobody else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		url: strings.TrimRight(endpoint, "/") + "/v1/traces", header: header,
	}, nil
}

// variable returns the value of a variable of OpenTelemetry's for traces, or for everything.
func variable(name string) string {
	return cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), os.Getenv("OTEL_EXPORTER_OTLP_"+name))
}

// ignored returns the names, sorted, of OpenTelemetry's variables in environ that have no effect here although they
// are about traces; environ has elements like name=value, as [os.Environ] returns.
func ignored(environ []string) (names []string) {
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if value == "" {
			continue
		}
		rest, exporter := strings.CutPrefix(name, "OTEL_EXPORTER_OTLP_")
		rest = strings.TrimPrefix(rest, "TRACES_")
		switch {
		case exporter && slices.Contains([]string{"HEADERS", "TIMEOUT", "CERTIFICATE"}, rest):
		case strings.HasPrefix(rest, "METRICS_"), strings.HasPrefix(rest, "LOGS_"): // there is nothing to send of these
		case exporter, strings.HasPrefix(name, "OTEL_TRACES_"), slices.Contains(
			[]string{"OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_SDK_DISABLED"}, name):
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// headers reads a list such as "api-key=secret,tenant=a%20b".
func headers(list string) (http.Header, error) {
	header := http.Header{}
	for pair := range strings.SplitSeq(list, ",") { // the operator's
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || err != nil || name == "" {
			return nil, errors.New("OTEL_EXPORTER_OTLP_HEADERS must be pairs like name=value, with commas between them")
		}
		header.Set(name, value)
	}
	return header, nil
}

// Start implements otlptrace.Client. It opens no connection.
func (u *upload) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (u *upload) Stop(context.Context) error {
	u.client.CloseIdleConnections()
	return nil
}

// UploadTraces sends a batch, again and again until the collector answers or ctx ends, which is after exportTime.
func (u *upload) UploadTraces(ctx context.Context, batch []*spans.ResourceSpans) error {
	// TracesData is written as the collector's ExportTraceServiceRequest is, whose package has its gRPC service too.
	body, err := proto.Marshal(&spans.TracesData{ResourceSpans: batch})
	if err != nil {
		return err
	}
	for pause := firstPause; ; pause *= 2 {
		wait, err := u.once(ctx, body)
		if err == nil || wait < 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(max(pause, wait)):
		}
	}
}

// once sends a batch. For an error after which it may be sent again, wait is how long the collector asks to wait, 0 if
// it doesn't say; else it is negative.
func (u *upload) once(ctx context.Context, body []byte) (wait time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.url, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	r.Header = u.header.Clone()
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("User-Agent", scope)
	answer, err := u.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return 0, err
	}
	switch answer.StatusCode {
	case http.StatusOK:
		if len(text) > 0 { // an ExportTraceServiceResponse with a partial_success
			return -1, fmt.Errorf("the collector accepted spans with the remark %q", text)
		}
		return 0, nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.ParseUint(answer.Header.Get("Retry-After"), 10, 16) // 0 for a date
		return time.Duration(seconds) * time.Second, fmt.Errorf("the collector answered %s", answer.Status)
	}
	return -1, fmt.Errorf("the collector answered %s: %q", answer.Status, text)
}
