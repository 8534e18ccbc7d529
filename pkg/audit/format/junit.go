package format

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"masthead/pkg/audit"
)

// The elements of JUnit's XML, in the order of its schemas.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Package    string          `xml:"package,attr"`
		ID         int             `xml:"id,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Hostname   string          `xml:"hostname,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out"`
		Err        string          `xml:"system-err"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string      `xml:"name,attr"`
		Class   string      `xml:"classname,attr"`
		Time    string      `xml:"time,attr"`
		Error   *junitFault `xml:"error"`
		Failure *junitFault `xml:"failure"`
	}
	junitFault struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a suite for each page and a case for each judged rule. Rules that count as findings fail; without
// options for findings, those with severity error and warning.
func writeJUnit(w io.Writer, pages []Page, o Options) error {
	o.FailOn = cmp.Or(o.FailOn, "warning")
	var all junitSuites // without totals: Ant's schema doesn't allow them
	for i, p := range pages {
		suite := suiteOf(p, &o)
		suite.ID = i
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	to := xml.NewEncoder(w)
	to.Indent("", " ")
	if err := to.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func suiteOf(p Page, o *Options) junitSuite {
	suite := junitSuite{
		Name: token(p.URL), Package: "masthead.audit", Hostname: "localhost", Time: "0",
		Timestamp: o.Now.UTC().Format("2006-01-02T15:04:05"),
	}
	if u, err := url.Parse(p.URL); err == nil && u.Hostname() != "" {
		suite.Hostname = u.Hostname()
	}
	if p.Err != nil {
		suite.Tests, suite.Errors = 1, 1
		suite.Properties = []junitProperty{{"url", p.URL}}
		suite.Cases = []junitCase{{
			Name: "The page can be read", Class: "masthead.audit", Time: "0",
			Error: &junitFault{p.Err.Error(), "fetch", p.Err.Error()},
		}}
		return suite
	}
	r := p.Report
	suite.Time = seconds(r.Timings.Total)
	suite.Timestamp = r.FetchedAt.UTC().Format("2006-01-02T15:04:05")
	suite.Properties = []junitProperty{
		{"url", r.FinalURL}, {"score", strconv.Itoa(r.Overall.Score)}, {"grade", r.Overall.Letter},
	}
	for i := range r.Issues {
		suite.add(p.URL, &r.Issues[i], o)
	}
	if o.MinScore > 0 {
		low := junitCase{Name: fmt.Sprintf("The score is at least %d", o.MinScore), Class: "masthead.audit", Time: "0"}
		if o.lowScore(&p) {
			suite.Failures++
			said := fmt.Sprintf("The score is %d (%s).", r.Overall.Score, r.Overall.Letter)
			low.Failure = &junitFault{said, "score", said}
		}
		suite.Cases = append(suite.Cases, low)
	}
	suite.Tests = len(suite.Cases)
	return suite
}

// add adds the case of a rule.
func (s *junitSuite) add(url string, i *audit.Issue, o *Options) {
	c := junitCase{Name: i.Title + " (" + i.ID + ")", Class: "masthead.audit." + i.Category, Time: "0"}
	if o.Finding(url, i) {
		s.Failures++
		c.Failure = &junitFault{i.Message, i.Severity, i.Message + "\n" + i.Fix()}
	}
	s.Cases = append(s.Cases, c)
}

// token converts a text to an XML token: without surrounding or repeated white space.
func token(s string) string { return strings.Join(strings.Fields(s), " ") }

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
