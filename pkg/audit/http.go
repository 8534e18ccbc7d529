package audit

import (
	"context"

	"masthead/gen"
	"masthead/pkg/audit/rule"
	"masthead/pkg/audit/rule/checks"
	"masthead/pkg/cursor"
	"masthead/pkg/identity"
	"masthead/pkg/wire"
)

// API has the operations of audits.
type API struct{ service *Service }

// NewAPI returns the operations over s.
func NewAPI(s *Service) *API { return &API{service: s} }

// CreateAudit serves POST /audits: the report of a page.
func (a *API) CreateAudit(ctx context.Context, r gen.CreateAuditRequestObject) (gen.CreateAuditResponseObject, error) {
	made, err := a.create(ctx, r.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateAudit200JSONResponse(made), nil
}

// CreateAuditAlias serves POST /audit, another address of POST /audits.
func (a *API) CreateAuditAlias(
	ctx context.Context, r gen.CreateAuditAliasRequestObject,
) (gen.CreateAuditAliasResponseObject, error) {
	made, err := a.create(ctx, r.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateAuditAlias200JSONResponse(made), nil
}

func (a *API) create(ctx context.Context, body *gen.AuditRequest) (gen.AuditReport, error) {
	made, err := a.service.Create(ctx, identity.CallerOf(ctx), Request{
		URL: body.Url, IncludeAI: wire.Value(body.IncludeAi), Progress: progressOf(ctx),
	})
	if err != nil {
		return gen.AuditReport{}, err
	}
	return a.service.wireRecord(made), nil
}

// GetAudit serves GET /audits/{auditId}: a report, for anyone with its ID.
func (a *API) GetAudit(ctx context.Context, r gen.GetAuditRequestObject) (gen.GetAuditResponseObject, error) {
	found, err := a.service.Get(ctx, identity.CallerOf(ctx), r.AuditId)
	if err != nil {
		return nil, err
	}
	return gen.GetAudit200JSONResponse(a.service.wireRecord(found)), nil
}

// ListAudits serves GET /audits: a page of the caller's history.
func (a *API) ListAudits(ctx context.Context, r gen.ListAuditsRequestObject) (gen.ListAuditsResponseObject, error) {
	page := cursor.Page{After: wire.Value(r.Params.Cursor), Limit: wire.Value(r.Params.Limit)}
	found, next, err := a.service.List(ctx, identity.CallerOf(ctx), page)
	if err != nil {
		return nil, err
	}
	return gen.ListAudits200JSONResponse{Items: wire.Items(found, wireSummary), NextCursor: wire.OrNull(next)}, nil
}

// DeleteAudit serves DELETE /audits/{auditId}.
func (a *API) DeleteAudit(ctx context.Context, r gen.DeleteAuditRequestObject) (gen.DeleteAuditResponseObject, error) {
	remove := a.service.Delete
	if wire.Value(r.Params.Undo) {
		remove = a.service.DeleteLater
	}
	if err := remove(ctx, identity.CallerOf(ctx), r.AuditId); err != nil {
		return nil, err
	}
	return gen.DeleteAudit204Response{}, nil
}

// UndeleteAudit serves POST /audits/{auditId}/undelete: a report of the caller, whose deletion is taken back.
func (a *API) UndeleteAudit(
	ctx context.Context, r gen.UndeleteAuditRequestObject,
) (gen.UndeleteAuditResponseObject, error) {
	found, err := a.service.Undelete(ctx, identity.CallerOf(ctx), r.AuditId)
	if err != nil {
		return nil, err
	}
	return gen.UndeleteAudit200JSONResponse(a.service.wireRecord(found)), nil
}

// PreviewPage serves POST /audits/preview: what a link to a page shows, read now.
func (a *API) PreviewPage(ctx context.Context, r gen.PreviewPageRequestObject) (gen.PreviewPageResponseObject, error) {
	metadata, err := a.service.Preview(ctx, identity.CallerOf(ctx), r.Body.Url)
	if err != nil {
		return nil, err
	}
	return gen.PreviewPage200JSONResponse{Metadata: wireMetadata(metadata)}, nil
}

// wireRecord converts a stored report for responses.
func (s *Service) wireRecord(r *Record) gen.AuditReport {
	report := WireReport(r.Report)
	for i := range r.Pictures {
		if shown := r.Pictures[i].Shown; shown != nil {
			report.Pictures[i].ShownUrl = wire.OrNull(s.base + ShownPath(r.ID, shown.Name))
		}
	}
	if r.AI != nil {
		report.Ai = new(wireAI(*r.AI))
	}
	return report
}

// Wire is a report in responses.
type Wire = gen.AuditReport

// WireIssue is an issue of a report in responses.
type WireIssue = gen.AuditIssue

// WireReport converts a report for responses, without an analysis and without addresses of its pictures. The command
// line writes the same JSON, without an ID.
func WireReport(r *Report) Wire {
	return Wire{
		Agents: wireAgents(r.Agents),
		Id:     r.ID, Url: r.URL, FinalUrl: r.FinalURL, FetchedAt: wire.Moment(r.FetchedAt), Status: r.Status,
		Redirects: wire.Items(r.Redirects, func(hop Redirect) gen.AuditRedirect {
			return gen.AuditRedirect{Url: hop.URL, Status: hop.Status}
		}),
		OverallScore: r.Overall.Score, LetterGrade: gen.LetterGrade(r.Overall.Letter),
		CategoryScores: wireScores(r.Categories), CategoryGrades: wireGrades(r.Categories),
		Metadata: wireMetadata(r.Metadata), Issues: wire.Items(r.Issues, wireIssue),
		NotChecked: wire.Items(r.NotChecked, func(n UncheckedRule) gen.AuditNotChecked {
			return gen.AuditNotChecked{
				Id: n.ID, Category: gen.AuditNotCheckedCategory(n.Category), Title: n.Title, Reason: n.Reason,
			}
		}),
		Pictures: wire.Items(r.Pictures, wirePicture), MoreTags: r.MoreTags,
		Tags: wire.Items(r.Tags, func(t Tag) gen.AuditTag {
			return gen.AuditTag{Key: t.Key, Value: t.Value, Source: t.Source}
		}),
	}
}

func wireAgents(a *Agents) *gen.AuditAgents {
	if a == nil {
		return nil
	}
	return &gen.AuditAgents{
		Score: a.Grade.Score, Letter: gen.LetterGrade(a.Grade.Letter),
		Findings: wire.Items(a.Findings, func(f AgentFinding) gen.AuditAgentFinding {
			return gen.AuditAgentFinding{Id: f.ID, Title: f.Title, Pass: f.Pass, Message: f.Message, Fix: f.Fix}
		}),
	}
}

func wireScores(g Grades) gen.CategoryScores {
	return gen.CategoryScores{Og: g.OG.Score, Twitter: g.Twitter.Score, Seo: g.SEO.Score}
}

func wireGrades(g Grades) gen.CategoryGrades {
	return gen.CategoryGrades{
		Og: gen.LetterGrade(g.OG.Letter), Twitter: gen.LetterGrade(g.Twitter.Letter), Seo: gen.LetterGrade(g.SEO.Letter),
	}
}

func wireMetadata(m Metadata) gen.PageMetadata {
	return gen.PageMetadata{
		Title: wire.OrNull(m.Title), Description: wire.OrNull(m.Description), Image: wire.OrNull(m.Image),
		SiteName: wire.OrNull(m.SiteName), Url: wire.OrNull(m.URL), Favicon: wire.OrNull(m.Favicon),
		TwitterCardType: wire.OrNull(gen.PageMetadataTwitterCardType(m.TwitterCardType)),
	}
}

func wireIssue(i Issue) gen.AuditIssue {
	issue := gen.AuditIssue{
		Id: i.ID, Category: gen.AuditIssueCategory(i.Category), Severity: gen.AuditIssueSeverity(i.Severity), Pass: i.Pass,
		Title: i.Title, Message: i.Message, Fix: i.Fix(), Code: wire.OrNull(i.Code),
		With: i.With, Clears: i.Clears, HelpUri: checks.Set().HelpURI(i.ID),
	}
	if i.Gain > 0 {
		issue.Gain = &i.Gain
	}
	if i.With == nil {
		issue.With = []string{}
	}
	if i.Clears == nil {
		issue.Clears = []string{}
	}
	return issue
}

func wirePicture(p PageImage) gen.AuditPicture {
	picture := gen.AuditPicture{
		Kind: gen.AuditPictureKind(p.Kind), Url: p.URL, FinalUrl: wire.OrNull(p.FinalURL), Reachable: p.Reachable,
		Fault: wire.OrNull(p.Fault), ContentType: wire.OrNull(p.ContentType), Bytes: p.Bytes, BytesAtLeast: p.AtLeast,
		Format: wire.OrNull(gen.AuditPictureFormat(p.Format)), Width: p.Width, Height: p.Height, Animated: p.Animated,
	}
	if p.Status != 0 {
		picture.Status = &p.Status
	}
	return picture
}

func wireSummary(s Summary) gen.AuditSummary {
	return gen.AuditSummary{
		Id: s.ID, Url: s.URL, FinalUrl: s.FinalURL, FetchedAt: wire.Moment(s.FetchedAt), Title: wire.OrNull(s.Title),
		OverallScore: s.Overall.Score, LetterGrade: gen.LetterGrade(s.Overall.Letter),
		CategoryScores: wireScores(s.Categories), CategoryGrades: wireGrades(s.Categories), Ai: wireAI(s.AI),
	}
}

func wireAI(ai AI) gen.AuditAi {
	out := gen.AuditAi{Status: gen.AuditAiStatus(ai.Status), Error: wire.OrNull(ai.Error)}
	if ai.Analysis != nil {
		out.Analysis = new(wireAnalysis(ai.Analysis))
	}
	return out
}

func wireAnalysis(a *Analysis) gen.AuditAnalysis {
	suggestion := func(s Suggestion) gen.AuditSuggestion {
		return gen.AuditSuggestion{Title: s.Title, Description: s.Description}
	}
	return gen.AuditAnalysis{
		PriorityActions: wire.Items(a.PriorityActions, func(action Action) gen.AuditAction {
			return gen.AuditAction{
				Title: action.Title, Rationale: action.Rationale, Impact: gen.AuditActionImpact(action.Impact),
			}
		}),
		Suggestions: gen.AuditSuggestions{
			Og: suggestion(a.Suggestions.OG), Twitter: suggestion(a.Suggestions.Twitter),
		},
		AudienceFit: a.AudienceFit, Severity: gen.AuditAnalysisSeverity(a.Severity),
		Confidence: gen.AuditAnalysisConfidence(a.Confidence), ToneAssessment: a.ToneAssessment,
		Discoverability: WireDiscoverability(a.Discoverability),
	}
}

// WireDiscoverability converts what is known about how search engines find a page for responses.
func WireDiscoverability(d rule.Discoverability) gen.AuditDiscoverability {
	return gen.AuditDiscoverability{
		MissingSchemaTypes: wire.Items(d.MissingTypes, func(t string) string { return t }),
		CanonicalIssues: wire.Items(d.Canonical, func(f rule.Finding) gen.CanonicalIssue {
			return gen.CanonicalIssue{Code: gen.CanonicalIssueCode(f.Code), Detail: f.Detail}
		}),
		HreflangRecommendations: wire.Items(d.Hreflang, func(f rule.Finding) gen.HreflangRecommendation {
			return gen.HreflangRecommendation{Code: gen.HreflangRecommendationCode(f.Code), Detail: f.Detail}
		}),
	}
}
