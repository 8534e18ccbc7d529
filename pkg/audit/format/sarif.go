package format

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"masthead/pkg/audit"
	"masthead/pkg/audit/rule"
)

// The types of SARIF, as far as reports use them. They are our own since the library for Go (go-sarif v3) writes fields
// that say something wrong when they are zero: index 0 of a list of artifacts that is not there, byte offset 0.
// Source: SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
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
		Locations []sarifLocation `json:"locations"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
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

// sarifLevels are the levels of SARIF by our severities.
var sarifLevels = map[string]string{"error": "error", "warning": "warning", "info": "note"}

// writeSARIF writes one run with a result for each rule that failed. The location of a result is the page: audits look
// at what is served, not at the files that it is made of.
func writeSARIF(w io.Writer, pages []Page, o Options) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "Masthead", Version: o.Version}},
		ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
	}
	place := map[string]int{}
	for i, r := range rule.All() {
		place[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, Name: r.ID, Short: sarifText{r.Title}, Full: sarifText{r.When}, Help: sarifText{r.Fix},
			Configuration: sarifLevel{sarifLevels[r.Severity.String()]},
			Properties:    map[string]any{"tags": []string{r.Category.Title()}, "category": r.Category},
		})
	}
	invocation := sarifInvocation{Successful: true}
	if !o.Now.IsZero() {
		invocation.End = o.Now.UTC().Format("2006-01-02T15:04:05Z")
	}
	for _, p := range pages {
		if p.Err != nil {
			invocation.Successful = false
			invocation.Notifications = append(invocation.Notifications,
				sarifNotification{"error", sarifText{p.Err.Error()}, at(p.URL)})
			continue
		}
		for _, found := range p.Report.Failed() {
			run.Results = append(run.Results, resultOf(p.URL, &found, place[found.ID]))
		}
	}
	run.Invocations = []sarifInvocation{invocation}
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	to.SetIndent("", " ")
	return to.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func resultOf(url string, found *audit.Issue, place int) sarifResult {
	digest := sha256.Sum256([]byte(found.ID + "\n" + url))
	return sarifResult{
		RuleID: found.ID, RuleIndex: place, Level: sarifLevels[found.Severity],
		Message: sarifText{found.Message + "\n" + found.Fix()}, Locations: at(url),
		Fingerprints: map[string]string{"masthead/v1": hex.EncodeToString(digest[:16])},
		Properties:   map[string]any{"gain": found.Gain},
	}
}

// at is the location of a page. Code scanning wants a line; it is the first.
func at(url string) []sarifLocation {
	return []sarifLocation{{sarifPhysical{sarifArtifact{url}, sarifRegion{1}}}}
}
