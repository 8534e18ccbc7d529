package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// sentence is a sentence of the specification, under its heading, about the observable behavior of the service.
type sentence struct {
	section string
	text    string
	// until names what has to be built before the sentence can be tested; "" if a test covers it (see says).
	until string
}

// sentences are those of "States and transitions", of "Endpoints" as far as they are about images and audits, of
// "Authentication", "Errors" and "Limits", in order, except for what isn't observable. A row of a table is a sentence.
var sentences = []sentence{
	{"Conventions", "Both spellings are used for the same operation: with and without an /api prefix.", ""},

	{"States", "Audit ai.status values: PENDING, READY, FAILED, SKIPPED.", ""},
	{"States", "The cache key is projectId, url, kind, template, every style.* field, every ai.* field.", ""},
	{"States", "No image for key, generate request: image exists, cached false and real generationMs.", ""},
	{"States", "Image exists, identical generate request, force not true: cached true, generationMs null.", ""},
	{"States", "Image exists, different template or any style.* value: new image under a new key, old image unchanged.", ""},
	{"States", "Image exists, force true: regenerated image.", ""},
	{"States", "Force true counts against the rate limit.", ""},
	{"States", "Force true counts, for AI images, against the monthly AI quota.", ""},
	{"States", "Image deleted in the dashboard: no image for key, next identical request is a cache miss.", ""},
	{"States", "AI fails (quota exhausted): template-only render, ai.fellBack is true.", ""},
	{"States", "AI fails (provider error): template-only render, ai.fellBack is true.", ""},
	{"States", "AI fails (content-policy rejection): template-only render, ai.fellBack is true.", ""},
	{"States", "Changing project domains or name has no effect on the cache.", ""},

	{"POST /images/generate", "Auth: API key in the Authorization header as a bearer value.", ""},
	{"POST /images/generate", "Content-Type: application/json.", ""},
	{"POST /images/generate", "url is required and must be a valid URL.", ""},
	{"POST /images/generate", "projectId is required, a UUID.", ""},
	{"POST /images/generate", "kind is one of og, blog_hero, icon_set, default og.", ""},
	{"POST /images/generate", "template is a slug, default editorial.", ""},
	{"POST /images/generate", "style.accent is a hex colour in the form #RRGGBB.", ""},
	{"POST /images/generate", "style.dark is a boolean, default true.", ""},
	{"POST /images/generate", "style.font is one of six.", ""},
	{"POST /images/generate", "style.logo.url is required inside logo.", ""},
	{"POST /images/generate", "style.logo.position is one of four.", ""},
	{"POST /images/generate", "style.aspectRatio is 16:9 or 16:10 and applies to blog_hero only.", ""},
	{"POST /images/generate", "ai true means the standard model with a page-derived prompt.", ""},
	{"POST /images/generate", "ai.model is standard or pro, default standard.", ""},
	{"POST /images/generate", "ai.override true: the prompt is used as given, otherwise blended with context of the page.", ""},
	{"POST /images/generate", "For kind icon_set, template and style are ignored.", ""},
	{"POST /images/generate", "The response has each field of the image record.", ""},
	{"POST /images/generate", "An icon_set response lists its six assets.", ""},
	{"POST /images/generate", "Asset item: name, url, width, height, sizeBytes.", ""},
	{"POST /images/generate", "imageUrl is the CDN URL of the image, for icon_set the 512 px render.", ""},
	{"POST /images/generate", "Icon sets are derived from brand signals of the page (favicon, theme-color, palette).", ""},

	{"GET /api/images/{id}/download", "Auth: JWT access token as a bearer value.", ""},
	{"GET /api/images/{id}/download", "A .zip with every asset of the image and a site.webmanifest.", ""},
	{"GET /api/images/{id}/download", "The manifest references the 192 and 512 sizes, for installable web apps.", ""},

	{"GET /og/:publicId", "Public, no authentication. Serves a generated image.", ""},
	{"GET /og/:publicId", "Query parameters for AI: ai (true), aiModel (the model), aiPrompt (the prompt).", ""},
	{"GET /og/:publicId", "There is no query equivalent of override.", ""},
	{"GET /og/:publicId", "Response header: Cache-Control: public, max-age=31536000, immutable.", ""},
	{"GET /og/:publicId", "Any change to a query parameter yields a new cache URL.", ""},
	{"GET /og/:publicId", "Social crawlers bypass the rate limit on this endpoint.", ""},

	{"Audit", "Scores a URL's Open Graph, Twitter Card and SEO set-up from 0 to 100, with issues and fixes.", ""},
	{"Audit", "The report has id, url, overallScore, letterGrade, categoryScores, metadata and issues.", ""},
	{"Audit", "An issue has id, category, severity, pass, title, message and fix.", ""},
	{"Audit", "Scoring signals per category: og, twitter, seo.", ""},
	{"Audit", "Anonymous requests run the audit but omit the AI section.", ""},
	{"Audit", "includeAi true runs the scraped content through the analysis model.", ""},
	{"Audit", "analysis has priorityActions, suggestions, audienceFit, severity, confidence, tone, discoverability.", ""},
	{"POST /audits", "Also written /api/audits, and /audit in a list of public endpoints.", ""},
	{"POST /audits", "Public, no API key.", ""},
	{"POST /audits", "With a session cookie from a signed-in user, the report is attached to that user's history.", ""},
	{"GET /api/audits/{id}", "No authentication; reports are shareable by id.", ""},
	{"GET /api/audits/{id}", "The web app also serves the same report without authentication at /audit/{id}.", ""},
	{"POST /api/audits/preview", "Auth: signed-in user via the cookie named access_token.", ""},
	{"POST /api/audits/preview", "Response: object with metadata, seven string fields.", ""},
	{"POST /api/audits/preview", "Live-fetches the page on every call. Nothing is saved or cached.", ""},
	{"POST /api/audits/preview", "Free on all plans.", ""},

	{"POST /auth/login and POST /auth/register", "Both return a JWT access token used as the bearer credential.", ""},

	{"GET /swagger", "Interactive API reference, served by the service, with two auth schemes and Try it out.", ""},
	{"GET /swagger", "Public endpoints carry no lock.", ""},

	{"Authentication", "bearerAuth: JWT access token, sent as Authorization: Bearer, for dashboard-type endpoints.", ""},
	{"Authentication", "apiKeyAuth: API key starting with og_live_, sent as Authorization: Bearer.", ""},
	{"Authentication", "Session cookie: access_token, for POST /api/audits/preview and attaching audits to history.", ""},
	{"Authentication", "1. For a scoped API key, projectId in the body must equal the key's project, else 403.", ""},
	{"Authentication", "2. A missing or invalid API key yields 401.", ""},
	{"Authentication", "3. Public endpoint with no credential: GET /og/:publicId.", ""},
	{"Authentication", "3. Public endpoints with no credential: audit creation, GET /api/audits/{id}.", ""},
	{"Authentication", "4. For API-key requests the plan is that of the key's owner.", ""},
	{"Authentication", "4. For public meta-tag requests the plan is that of the project owner.", ""},

	{"Errors", "400 BAD_REQUEST: invalid body shape.", ""},
	{"Errors", "401 UNAUTHORIZED: missing or invalid API key.", ""},
	{"Errors", "402 TIER_LOCKED: the image was generated on a higher plan than the current subscription.", ""},
	{"Errors", "403 FORBIDDEN: scoped key used against a different project.", ""},
	{"Errors", "404 NOT_FOUND: template slug does not exist for this kind.", ""},
	{"Errors", "409 CONFLICT: the image already exists; force true regenerates.", ""},
	{"Errors", "429: rate limit exceeded; response carries Retry-After.", ""},
	{"Errors", "502: upstream scrape failure.", ""},
	{"Errors", "When AI generation fails, the response is a successful template-only render, not an error.", ""},

	{"Limits", "Requests per minute: Free 20, Plus 100, Pro 500.", ""},
	{"Limits", "1. All authenticated and public endpoints are rate-limited.", ""},
	{"Limits", "1. Non-AI generation and cache hits are unmetered on every plan.", ""},
	{"Limits", "1. A request with force true counts against the rate limit.", ""},
	{"Limits", "2. Every rate-limited response carries X-RateLimit-Limit, -Remaining and -Reset.", ""},
	{"Limits", "3. Over the limit, 429 with header Retry-After, in seconds until the window resets.", ""},
	{"Limits", "4. Crawler bypass on GET /og/:publicId for any of seven crawlers, by substring.", ""},
	{"Limits", "4. Crawlers remain subject to per-IP abuse circuit breakers.", ""},
	{"Limits", "5. Monthly AI image quotas: Free 3, Plus 100, Pro 1000.", ""},
	{"Limits", "5. Pro includes a sub-cap of 300 for the pro model.", ""},
	{"Limits", "6. ai.model standard needs the Free plan or above.", ""},
	{"Limits", "6. ai.model pro needs the Pro plan.", ""},
	{"Limits", "7. ai.prompt is at most 500 characters.", ""},
	{"Limits", "8. AI analysis of audits appears in history only on the Plus or Pro plan.", ""},
	{"Limits", "9. POST /api/audits/preview: 10 requests per minute per user.", ""},
	{"Limits", "11. Cached images are served with max-age of 31536000 seconds (one year).", ""},
}

// says names the sentences, as in the list, that the following part of a test checks.
func says(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !slices.ContainsFunc(sentences, func(s sentence) bool { return s.text == text }) {
			t.Errorf("the list of sentences has no %q", text)
		}
		t.Log("specification:", text) // shown when the test fails
	}
}

// Each sentence of the list either has a test or names what it waits for.
func TestSpecification_eachSentenceHasATest(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "says" {
				return true
			}
			for _, argument := range call.Args[1:] {
				if literal, ok := argument.(*ast.BasicLit); ok {
					if text, err := strconv.Unquote(literal.Value); err == nil {
						said[text] = true
					}
				}
			}
			return true
		})
	}
	listed := map[string]bool{}
	for _, s := range sentences {
		if listed[s.text] {
			t.Errorf("%s: %q is listed twice", s.section, s.text)
		}
		listed[s.text] = true
		switch {
		case s.until == "" && !said[s.text]:
			t.Errorf("%s: no test says %q", s.section, s.text)
		case s.until != "" && said[s.text]:
			t.Errorf("%s: a test says %q, so it waits for %s no more", s.section, s.text, s.until)
		}
	}
}
