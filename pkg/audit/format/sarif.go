package format

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule/checks"
)

// The types of SARIF, as far as reports use them. They are our own because the Go library (go-sarif v3) writes zero
// fields with a wrong meaning: index 0 of a missing list of artifacts, byte offset 0. Source: SARIF 2.1.0,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Automation  sarifAutomation   `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
	}
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string         `json:"id"`
		Name          string         `json:"name"`
		Short         sarifText      `json:"shortDescription"`
		Full          sarifText      `json:"fullDescription"`
		Help          sarifText      `json:"help"`
		HelpURI       string         `json:"helpUri"`
		Configuration sarifLevel     `json:"defaultConfiguration"`
		Properties    map[string]any `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		End           string              `json:"endTimeUtc,omitempty"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Baseline     string            `json:"baselineState,omitempty"`
		Properties   map[string]any    `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

// sarifRank orders levels, worst first.
var sarifRank = map[string]int{"error": 0, "warning": 1, "note": 2}

// sarifLevels are the levels of SARIF by our severities.
var sarifLevels = map[string]string{"error": "error", "warning": "warning", "info": "note"}

// maxSARIFResults is the maximum number of results per run; the worst are kept. Source: GitHub, "SARIF support for code
// scanning", validation of uploads.
const maxSARIFResults = 25_000

// writeSARIF writes one run with a result for each failed rule. The location of a result is a path that represents the
// page, since code scanning only accepts relative paths and audits examine what is served, not its source files. The
// page's address is in the message and the properties.
func writeSARIF(w io.Writer, pages []Page, o Options) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "Masthead", Version: o.Version}},
		Automation: sarifAutomation{"masthead/"}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
	}
	at := pagePaths(pages)
	place := map[string]int{}
	for i, r := range checks.Set().All() {
		place[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, Name: r.ID, Short: sarifText{r.Title}, Full: sarifText{r.When}, Help: sarifText{r.Fix},
			HelpURI:       r.HelpURI(),
			Configuration: sarifLevel{sarifLevels[r.Severity.String()]},
			Properties:    map[string]any{"tags": []string{r.Category.Title()}, "category": r.Category},
		})
	}
	invocation := sarifInvocation{Successful: true}
	if !o.Now.IsZero() {
		invocation.End = o.Now.UTC().Format("2006-01-02T15:04:05Z")
	}
	for i, p := range pages {
		if p.Err != nil {
			invocation.Successful = false
			invocation.Notifications = append(invocation.Notifications,
				sarifNotification{"error", sarifText{p.URL + ": " + p.Err.Error()}, location(at[i])})
			continue
		}
		for _, found := range p.Report.Failed() {
			result := resultOf(p.URL, &found, place[found.ID])
			result.Locations, result.Baseline = location(at[i]), o.Baseline.state(p.URL, &found)
			run.Results = append(run.Results, result)
		}
	}
	if left := len(run.Results) - maxSARIFResults; left > 0 {
		slices.SortStableFunc(run.Results, func(a, b sarifResult) int { return sarifRank[a.Level] - sarifRank[b.Level] })
		run.Results = run.Results[:maxSARIFResults]
		text := fmt.Sprintf("%d results are left out: code scanning takes %d of a run.", left, maxSARIFResults)
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"warning", sarifText{text}, nil})
	}
	run.Invocations = []sarifInvocation{invocation}
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	to.SetIndent("", " ")
	return to.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func resultOf(url string, found *audit.Issue, place int) sarifResult {
	digest := sha256.Sum256([]byte(found.ID + "\n" + url))
	print := hex.EncodeToString(digest[:16])
	properties := map[string]any{"url": url}
	if found.Gain > 0 {
		properties["gain"] = found.Gain
	}
	if len(found.With) > 0 {
		properties["with"] = found.With
	}
	if len(found.Clears) > 0 {
		properties["clears"] = found.Clears
	}
	return sarifResult{
		RuleID: found.ID, RuleIndex: place, Level: sarifLevels[found.Severity],
		Message: sarifText{url + ": " + found.Message + "\n" + found.Fix()},
		// Without the first one GitHub looks for the line in a file that doesn't exist.
		Fingerprints: map[string]string{"primaryLocationLineHash": print + ":1", "masthead/v1": print},
		Properties:   properties,
	}
}

// location is the location of a page by its path. Code scanning requires a line; it is the first.
func location(path string) []sarifLocation {
	return []sarifLocation{{sarifPhysical{sarifArtifact{path}, sarifRegion{1}}}}
}
