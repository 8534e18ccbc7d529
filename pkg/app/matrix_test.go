package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/gen"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/testenv"
)

// owner is an account with something of everything.
type owner struct {
	apptest.Session
	id, project, publicID string
	key, scoped, ofOther  string // keys: of all projects, of project, and of another project
}

// world is a service with those who call it.
type world struct {
	*apptest.Service
	owner, stranger, unconfirmed, disabled *owner
	revoked                                string // a key of owner's
}

func newWorld(t *testing.T, h *apptest.Service) *world {
	t.Helper()
	w := &world{Service: h, owner: newOwner(h), stranger: newOwner(h), unconfirmed: newOwner(h), disabled: newOwner(h)}
	admin := apptest.Bearer(h.Session.Access)
	h.Send("PATCH", "/admin/users/"+w.disabled.id, map[string]any{"disabled": true}, admin).Want(http.StatusOK)
	_, err := h.App.DB.Exec(t.Context(), `UPDATE users SET email_confirmed_at = NULL WHERE id = ?`, w.unconfirmed.id)
	if err != nil {
		t.Fatal(err)
	}
	user := apptest.Bearer(w.owner.Access)
	made := h.Post("/keys", map[string]any{"name": "Revoked"}, user).Want(http.StatusCreated)
	w.revoked = made.Text("secret")
	h.Send("DELETE", "/keys/"+made.Text("id"), nil, user).Want(http.StatusNoContent)
	return w
}

func newOwner(h *apptest.Service) *owner {
	o := &owner{Session: h.Register()}
	o.id, o.project = h.ID(o.Session), h.NewProject(o.Session)
	o.publicID = h.Get("/projects/"+o.project, apptest.Bearer(o.Access)).Want(http.StatusOK).Text("publicId")
	o.key, o.scoped = h.NewKey(o.Session, ""), h.NewKey(o.Session, o.project)
	o.ofOther = h.NewKey(o.Session, h.NewProject(o.Session))
	return o
}

// image draws an image for an account.
func (w *world) image(o *owner) *apptest.Response {
	return w.Post("/images/generate", map[string]any{"url": w.Site.At("/page/one"), "projectId": o.project},
		apptest.Bearer(o.key)).Want(http.StatusOK)
}

// What a caller's credential is.
const (
	nothing = iota
	session
	key
)

// call is a kind of caller.
type call struct {
	name        string
	credential  int
	dead        bool // of a disabled account or revoked
	elsewhere   bool // the cookie from another site
	admin       bool
	unconfirmed bool
	// foreign callers own nothing of what they ask for; otherProject keys are the owner's, of another project.
	foreign, otherProject bool
	target                func(w *world) *owner // whose things are asked for
	option                func(w *world) apptest.RequestOption
}

func ownersThings(w *world) *owner { return w.owner }

func bearer(of func(w *world) string) func(w *world) apptest.RequestOption {
	return func(w *world) apptest.RequestOption { return apptest.Bearer(of(w)) }
}

var calls = []call{
	{name: "nobody", option: func(*world) apptest.RequestOption { return func(*http.Request) {} }},
	{name: "the owner", credential: session, option: bearer(func(w *world) string { return w.owner.Access })},
	{name: "another user", credential: session, foreign: true,
		option: bearer(func(w *world) string { return w.stranger.Access })},
	{name: "an unconfirmed owner", credential: session, unconfirmed: true, target: func(w *world) *owner { return w.unconfirmed },
		option: bearer(func(w *world) string { return w.unconfirmed.Access })},
	{name: "a disabled account", credential: session, dead: true,
		option: bearer(func(w *world) string { return w.disabled.Access })},
	{name: "an admin", credential: session, admin: true, foreign: true,
		option: bearer(func(w *world) string { return w.Session.Access })},
	{name: "the owner's cookie from another site", credential: session, elsewhere: true,
		option: func(w *world) apptest.RequestOption {
			return func(r *http.Request) {
				r.Header.Set("Cookie", "access_token="+w.owner.Access)
				r.Header.Set("Sec-Fetch-Site", "cross-site")
			}
		}},
	{name: "a key of all projects", credential: key, option: bearer(func(w *world) string { return w.owner.key })},
	{name: "a key of the project", credential: key, option: bearer(func(w *world) string { return w.owner.scoped })},
	{name: "a key of another project", credential: key, otherProject: true,
		option: bearer(func(w *world) string { return w.owner.ofOther })},
	{name: "another user's key", credential: key, foreign: true,
		option: bearer(func(w *world) string { return w.stranger.key })},
	{name: "a revoked key", credential: key, dead: true, option: bearer(func(w *world) string { return w.revoked })},
	{name: "a disabled account's key", credential: key, dead: true,
		option: bearer(func(w *world) string { return w.disabled.key })},
}

// ownership says who may use an operation, among those whose credential its security requirements accept.
type ownership int

const (
	everyone    ownership = iota // it is about nobody's things, or about the caller's own
	owners                       // others get 404
	projectKeys                  // keys of others and of other projects get 403: the specification's one exception
	admins                       // others get 403
)

// ask is a request that works for whom it may: its path after the method, and its body.
type ask func(w *world, of *owner) (path string, body any)

// rule is what the matrix knows of an operation.
type rule struct {
	of  ownership
	ask ask
}

func at(path string) ask { return func(*world, *owner) (string, any) { return path, nil } }

func with(path string, body map[string]any) ask {
	return func(*world, *owner) (string, any) { return path, body }
}

// page asks for a page of the site.
func page(path string) ask {
	return func(w *world, _ *owner) (string, any) {
		return path, map[string]any{"url": w.Site.At("/page/one")}
	}
}

func imageAt(suffix string) ask {
	return func(w *world, of *owner) (string, any) { return "/images/" + w.image(of).Text("id") + suffix, nil }
}

// projectAt asks for the owner's project.
func projectAt(body any) ask {
	return func(_ *world, of *owner) (string, any) { return "/projects/" + of.project, body }
}

func keyAt(suffix string) ask {
	return func(w *world, of *owner) (string, any) {
		made := w.Post("/keys", map[string]any{"name": "New"}, apptest.Bearer(of.Access)).Want(http.StatusCreated)
		return "/keys/" + made.Text("id") + suffix, nil
	}
}

// assetAt asks about an asset of the owner's project.
func assetAt(w *world, of *owner) (string, any) {
	path := "/projects/" + of.project + "/assets"
	made := w.Post(path, redLogo, apptest.Bearer(of.Access)).Want(http.StatusCreated)
	return path + "/" + made.Text("id"), nil
}

// designAt asks about a design of the owner's project.
func designAt(suffix string, body any) ask {
	return func(w *world, of *owner) (string, any) {
		return designOf(w.Service, of.Session, of.project) + suffix, body
	}
}

func reportAt(w *world, of *owner) (string, any) {
	made := w.Post("/audits", map[string]any{"url": w.Site.At("/page/one")}, apptest.Bearer(of.Access))
	return "/audits/" + made.Want(http.StatusOK).Text("id"), nil
}

// crawlersAt asks about the crawlers of a new report of the owner.
func crawlersAt(w *world, of *owner) (string, any) {
	path, _ := reportAt(w, of)
	if _, err := w.App.DB.Exec(w.T().Context(), `DELETE FROM crawler_reads`); err != nil { // the pause of the host
		w.T().Fatal(err)
	}
	return path + "/crawlers", nil
}

// hookAt asks about a webhook of the owner.
func hookAt(suffix string, body any) ask {
	return func(w *world, of *owner) (string, any) { return "/webhooks/" + aHook(w.Service, of.id) + suffix, body }
}

// watchAt asks about a watched page of the owner's project.
func watchAt(suffix string, body any) ask {
	return func(w *world, of *owner) (string, any) {
		return "/watches/" + aWatch(w.Service, of.id, of.project) + suffix, body
	}
}

// forConfirmed are the operations that an account can't use before its address is confirmed.
var forConfirmed = map[string]bool{"createWebhook": true}

// withoutMore are the operations that nobody of the matrix can use, with the status that they have in place of success:
// its server sells no plans and has no provider to sign in with, its accounts have no second factor, and nobody has a
// device, or the ID of a session or an export. The caller of receiveStripeEvent is known by its signature, which is
// missing.
var withoutMore = map[string]int{
	"confirmTotp": 409, "renewRecoveryCodes": 409, "loginWithPasskey": 401, "addPasskey": 400, "removePasskey": 404,
	"beginProviderSignIn": 404, "finishProviderSignIn": 404, "completeProviderSignIn": 404,
	"endSession": 404, "getExport": 404, "downloadExport": 404,
	"getSubscription": 503, "createCheckout": 503, "createPortal": 503, "receiveStripeEvent": 400,
}

// matrix has every operation of the document.
var matrix = map[string]rule{
	"generateImage": {projectKeys, func(w *world, of *owner) (string, any) {
		return "/images/generate", map[string]any{"url": w.Site.At("/page/one"), "projectId": of.project}
	}},
	"listImages":  {everyone, at("/images")},
	"getImage":    {owners, imageAt("")},
	"deleteImage": {owners, imageAt("")},
	"undeleteImage": {owners, func(w *world, of *owner) (string, any) {
		path := "/images/" + w.image(of).Text("id")
		w.Send("DELETE", path+"?undo=true", nil, apptest.Bearer(of.Access)).Want(http.StatusNoContent)
		return path + "/undelete", nil
	}},
	"downloadImage":     {owners, imageAt("/download")},
	"listImageVersions": {owners, imageAt("/versions")},
	"restoreImageVersion": {owners, func(w *world, of *owner) (string, any) {
		id := w.image(of).Text("id")
		addVersion(w.Service, id)
		return "/images/" + id + "/versions/1/restore", nil
	}},
	"getPublicImage": {everyone, func(w *world, of *owner) (string, any) {
		return "/og/" + w.image(of).Text("publicId"), nil
	}},
	"getFile": {everyone, func(w *world, of *owner) (string, any) {
		return w.image(of).Path("imageUrl"), nil
	}},
	"createAudit":      {everyone, page("/audits")},
	"createAuditAlias": {everyone, page("/audit")},
	"listAudits":       {everyone, at("/audits")},
	"previewPage":      {everyone, page("/audits/preview")},
	"getAudit":         {everyone, reportAt},
	"deleteAudit":      {owners, reportAt},
	"undeleteAudit": {owners, func(w *world, of *owner) (string, any) {
		path, _ := reportAt(w, of)
		w.Send("DELETE", path+"?undo=true", nil, apptest.Bearer(of.Access)).Want(http.StatusNoContent)
		return path + "/undelete", nil
	}},
	"getCrawlers":       {everyone, crawlersAt},
	"readAsCrawlers":    {owners, crawlersAt},
	"listTemplates":     {everyone, at("/templates")},
	"getTemplate":       {everyone, at("/templates/editorial")},
	"getTemplateSample": {everyone, at("/templates/editorial/sample")},
	"listProjects":      {everyone, at("/projects")},
	"createProject":     {everyone, with("/projects", map[string]any{"name": "New"})},
	"getProject":        {owners, projectAt(nil)},
	"listSigningKeys":   {owners, signingKeysAt},
	"createSigningKey":  {owners, signingKeysAt},
	"updateProject":     {owners, projectAt(map[string]any{"name": "Renamed"})},
	"deleteProject": {owners, func(w *world, of *owner) (string, any) {
		return "/projects/" + w.NewProject(of.Session), nil
	}},
	"createBatch": {projectKeys, func(w *world, of *owner) (string, any) { return batch, aBatch(w.Service, of.project) }},
	"getBatch": {owners, func(w *world, of *owner) (string, any) {
		made := w.Post(batch, aBatch(w.Service, of.project), apptest.Bearer(of.key)).Want(http.StatusAccepted)
		return "/images/batches/" + made.Text("id"), nil
	}},
	"listAssets": {owners, func(_ *world, of *owner) (string, any) { return "/projects/" + of.project + "/assets", nil }},
	"createAsset": {owners, func(_ *world, of *owner) (string, any) {
		return "/projects/" + of.project + "/assets", redLogo
	}},
	"listDesigns":  {everyone, at("/designs")},
	"createDesign": {owners, func(_ *world, of *owner) (string, any) { return "/designs", aDesign(of.project) }},
	"previewDesign": {owners, func(_ *world, of *owner) (string, any) {
		return "/designs/preview", map[string]any{"projectId": of.project, "html": "<b>{{title}}</b>"}
	}},
	"getDesign":    {owners, designAt("", nil)},
	"updateDesign": {owners, designAt("", map[string]any{"name": "Renamed"})},
	"deleteDesign": {owners, designAt("", nil)},
	"undeleteDesign": {owners, func(w *world, of *owner) (string, any) {
		return deletedDesign(w.Service, of.Session, of.project), nil
	}},
	"listDesignVersions": {owners, designAt("/versions", nil)},
	"restoreDesign":      {owners, designAt("/restore", map[string]any{"version": 1})},
	"checkDesign":        {owners, designAt("/check", map[string]any{"text": "word"})},
	"getDesignDraft": {owners, func(w *world, of *owner) (string, any) {
		path, _ := designAt("/draft", nil)(w, of)
		w.Send("PUT", path, aDraft, apptest.Bearer(of.Access)).Want(http.StatusOK)
		return path, nil
	}},
	"putDesignDraft":    {owners, designAt("/draft", aDraft)},
	"deleteDesignDraft": {owners, designAt("/draft", nil)},
	"getAsset":          {owners, assetAt},
	"deleteAsset":       {owners, assetAt},
	"listKeys":          {everyone, at("/keys")},
	"createKey": {owners, func(_ *world, of *owner) (string, any) {
		return "/keys", map[string]any{"name": "New", "projectId": of.project}
	}},
	"deleteKey": {owners, keyAt("")},
	"rotateKey": {owners, keyAt("/rotate")},
	"register": {everyone, func(*world, *owner) (string, any) {
		return "/auth/register", map[string]any{
			"email": fmt.Sprintf("matrix%d@example.com", apptest.Serial()), "password": apptest.Password,
		}
	}},
	"login": {everyone, func(_ *world, of *owner) (string, any) {
		return "/auth/login", map[string]any{"email": of.Email, "password": of.Password}
	}},
	"refreshSession": {everyone, func(w *world, _ *owner) (string, any) {
		return "/auth/refresh", map[string]any{"refreshToken": w.Register().Refresh}
	}},
	"forgotPassword": {everyone, with("/auth/password/forgot", map[string]any{"email": "nobody@example.com"})},
	"requestLink":    {everyone, with("/auth/link", map[string]any{"email": "nobody@example.com"})},
	"confirmLink": {everyone, func(w *world, _ *owner) (string, any) {
		return "/auth/confirm", map[string]any{"token": w.SignInToken(w.Register())}
	}},
	"changeEmail": {everyone, func(*world, *owner) (string, any) {
		return "/users/me/email", map[string]any{
			"email": fmt.Sprintf("matrix%d@lovelace.example", apptest.Serial()), "password": apptest.Password,
		}
	}},
	"confirmEmailChange": {everyone, func(w *world, _ *owner) (string, any) {
		return confirmsChange, map[string]any{"token": changeTokens(w.Service, w.Register())[0]}
	}},
	"beginProviderSignIn":    {everyone, at("/auth/oidc")},
	"finishProviderSignIn":   {everyone, at("/auth/oidc/callback?state=x&code=x")},
	"completeProviderSignIn": {everyone, with("/auth/oidc/complete", map[string]any{})},
	"resetPassword": {everyone, func(w *world, _ *owner) (string, any) {
		return "/auth/password/reset", map[string]any{"token": w.ResetToken(w.Register()), "newPassword": otherPassword}
	}},
	"logout":          {everyone, at("/auth/logout")},
	"getMe":           {everyone, at("/users/me")},
	"updateMe":        {everyone, with("/users/me", map[string]any{"name": "Ada"})},
	"deleteMe":        {everyone, at("/users/me")},
	"changePassword":  {everyone, with("/users/me/password", passwords(apptest.Password, otherPassword))},
	"getSecondFactor": {everyone, at(app2FA)},
	"addTotp":         {everyone, at(app2FA)},
	"confirmTotp": {everyone, func(w *world, _ *owner) (string, any) {
		if _, err := w.App.DB.Exec(w.T().Context(), `DELETE FROM totp`); err != nil { // what addTotp may have begun
			w.T().Fatal(err)
		}
		return app2FA + "/confirm", map[string]any{"code": "123456"}
	}},
	"getPasskeyOptions":    {everyone, at("/auth/passkey/options")},
	"loginWithPasskey":     {everyone, with("/auth/passkey", nothingSigned)},
	"listPasskeys":         {everyone, at(passkeys)},
	"getNewPasskeyOptions": {everyone, at(passkeys + "/options")},
	"addPasskey":           {everyone, with(passkeys, nothingSigned)},
	"removePasskey":        {everyone, at(passkeys + "/" + apptest.Nobody)},
	"createExport":         {everyone, at(exports)},
	"getExport":            {everyone, at(exports + "/" + apptest.Nobody)},
	"downloadExport":       {everyone, at(exports + "/" + apptest.Nobody + "/file")},
	"listSessions":         {everyone, at(sessions)},
	"endSession":           {everyone, at(sessions + "/" + apptest.Nobody)},
	"endOtherSessions":     {everyone, at(sessions)},
	"removeTotp":           {everyone, at(app2FA)},
	"renewRecoveryCodes":   {everyone, at(recovery)},
	"listPlans":            {everyone, at("/billing/plans")},
	"analyzePage":          {everyone, page("/pages/analyze")},
	"getUsage":             {everyone, at("/usage")},
	"getContents":          {everyone, at("/usage/contents")},
	"getSubscription":      {everyone, at("/billing/subscription")},
	"createCheckout":       {everyone, with("/billing/checkout", map[string]any{"plan": "plus", "period": "month"})},
	"createPortal":         {everyone, at("/billing/portal")},
	"receiveStripeEvent":   {everyone, with("/billing/webhook", map[string]any{})},
	"unsubscribe": {everyone, func(w *world, of *owner) (string, any) {
		return "/mail/unsubscribe/" + w.App.Mail.UnsubscribeToken(of.id, "quota_reached"), nil
	}},
	"listNotifications": {everyone, at("/notifications")},
	"readNotifications": {owners, func(w *world, of *owner) (string, any) {
		id := db.NewID()
		_, err := w.App.DB.Exec(w.T().Context(), `INSERT INTO notifications (id, user_id, kind, cause, data, created_at)
			VALUES (?, ?, 'plan_changed', ?, '{}', 0)`, id, of.id, id)
		if err != nil {
			w.T().Fatal(err)
		}
		return toRead, map[string]any{"id": id}
	}},
	"getPreferences": {everyone, at(toWhich)},
	"putPreferences": {everyone, with(toWhich, map[string]any{"items": []any{map[string]any{"kind": "watch_worse"}}})},
	"listWebhooks":   {everyone, at(hooks)},
	"createWebhook": {everyone, func(w *world, _ *owner) (string, any) {
		return hooks, map[string]any{"url": w.Site.At("/page/one")}
	}},
	"getWebhook":    {owners, hookAt("", nil)},
	"updateWebhook": {owners, hookAt("", map[string]any{"enabled": true})},
	"deleteWebhook": {owners, hookAt("", nil)},
	"undeleteWebhook": {owners, func(w *world, of *owner) (string, any) {
		return deletedHook(w.Service, of.Access, of.id), nil
	}},
	"rotateWebhook":         {owners, hookAt("/rotate", nil)},
	"testWebhook":           {owners, hookAt("/test", nil)},
	"replayWebhook":         {owners, hookAt("/replay", aDay)},
	"listWebhookDeliveries": {owners, hookAt("/deliveries", nil)},
	"getWebhookDelivery": {owners, func(w *world, of *owner) (string, any) {
		return aDelivery(w.Service, of.id), nil
	}},
	"replayWebhookDelivery": {owners, func(w *world, of *owner) (string, any) {
		return aDelivery(w.Service, of.id) + "/replay", nil
	}},
	"listSites":  {everyone, at("/sites")},
	"createSite": {everyone, page("/sites")},
	"getSite": {owners, func(w *world, of *owner) (string, any) {
		return "/sites/" + aSite(w.Service, of.id, of.project), nil
	}},
	"deleteSite": {owners, func(w *world, of *owner) (string, any) {
		return "/sites/" + aSite(w.Service, of.id, of.project), nil
	}},
	"listWatches": {everyone, at(watched)},
	"createWatch": {everyone, page(watched)},
	"updateWatch": {owners, watchAt("", map[string]any{"every": "week"})},
	"deleteWatch": {owners, watchAt("", nil)},
	"undeleteWatch": {owners, func(w *world, of *owner) (string, any) {
		return deletedWatch(w.Service, of.Access, of.id, of.project), nil
	}},
	"runWatch":        {owners, watchAt("/run", nil)},
	"getWatchHistory": {owners, watchAt("/history", nil)},
	"getBadge": {everyone, func(w *world, of *owner) (string, any) {
		return "/badge/" + badgeOf(w.Service, aWatch(w.Service, of.id, of.project)) + "/badge.svg", nil
	}},
	"listUsers": {admins, at("/admin/users")},
	"createUser": {admins, func(*world, *owner) (string, any) {
		return "/admin/users", map[string]any{
			"email": fmt.Sprintf("matrix%d@example.com", apptest.Serial()), "password": apptest.Password,
		}
	}},
	"updateUser": {admins, func(w *world, of *owner) (string, any) {
		return "/admin/users/" + of.id, map[string]any{"plan": "free"}
	}},
	"listJobs":          {admins, at("/admin/jobs")},
	"retryJob":          {admins, func(w *world, _ *owner) (string, any) { return "/admin/jobs/" + aJob(w.Service) + "/retry", nil }},
	"cancelJob":         {admins, func(w *world, _ *owner) (string, any) { return "/admin/jobs/" + aJob(w.Service) + "/cancel", nil }},
	"getStats":          {admins, at("/admin/stats")},
	"getMaintenance":    {admins, at(mode)},
	"putMaintenance":    {admins, with(mode, map[string]any{"enabled": false})},
	"listAuditLog":      {admins, at("/admin/audit-log")},
	"listFailedSignIns": {admins, at("/admin/failed-sign-ins")},
	"listOutbox":        {admins, at("/admin/outbox")},
	"resendOutbox":      {admins, at("/admin/outbox/resend")},
	"createOutboxLink": {admins, func(w *world, _ *owner) (string, any) {
		return "/admin/outbox/" + aMail(w.Service) + "/link", nil
	}},
	"getHealth":    {everyone, at("/healthz")},
	"getReadiness": {everyone, at("/readyz")},
}

// signingKeysAt asks about the signing keys of the owner's project.
func signingKeysAt(_ *world, of *owner) (string, any) {
	return "/projects/" + of.project + "/signing-keys", nil
}

// endsSessions are the operations after which the caller can't be used again.
var endsSessions = map[string]bool{"logout": true, "deleteMe": true, "changePassword": true}

// allowed is the status of a request that is allowed; it stands for all below 300.
const allowed = http.StatusOK

// want is the status that a caller gets, derived from the operation's security requirements and its ownership.
func (c call) want(document *openapi3.T, method string, op *openapi3.Operation, of ownership) int {
	security := document.Security
	if op.Security != nil {
		security = *op.Security
	}
	takes := func(scheme string) bool {
		return slices.ContainsFunc(security, func(r openapi3.SecurityRequirement) bool { _, ok := r[scheme]; return ok })
	}
	if len(security) == 0 {
		if op.Extensions["x-optional-session"] == true && (c.credential == key || c.dead) {
			return http.StatusUnauthorized
		}
		return allowed
	}
	accepted := c.credential == session && takes("bearerAuth") || c.credential == key && takes("apiKeyAuth")
	switch {
	case !accepted || c.dead:
		return http.StatusUnauthorized
	case c.elsewhere && method != http.MethodGet:
		return http.StatusForbidden
	case of == admins && !c.admin:
		return http.StatusForbidden
	case c.unconfirmed && forConfirmed[op.OperationID]:
		return http.StatusForbidden
	case of == owners && (c.foreign || c.otherProject):
		return http.StatusNotFound
	case of == projectKeys && (c.foreign || c.otherProject):
		return http.StatusForbidden
	}
	return allowed
}

// TestMatrix_everyOperationByEveryCaller sends a request for every operation of the document as every kind of caller,
// and compares the status with what the document's security and the table of ownership say.
func TestMatrix_everyOperationByEveryCaller(t *testing.T) {
	testenv.Sequential(t)
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		t.Fatal(err)
	}
	// Accounts never reach a limit, in whatever order things are made.
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		c.Billing.FreeWebhooks, c.Billing.FreeWatches, c.Billing.FreeDesigns = 1000, 1000, 1000
		c.Billing.ProWebhooks, c.Billing.ProWatches, c.Billing.ProDesigns = 1000, 1000, 1000
	})
	if _, err := h.App.Users.Promote(t.Context(), h.ID(h.Register())); err != nil { // so that no admin is the last one
		t.Fatal(err)
	}
	w := newWorld(t, h)
	known := map[string]bool{}
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			known[op.OperationID] = true
			of, ok := matrix[op.OperationID]
			if !ok {
				t.Errorf("%s %s (%s) isn't in the table: say who may use it", method, path, op.OperationID)
				continue
			}
			for _, c := range calls {
				target := ownersThings
				if c.target != nil {
					target = c.target
				}
				asked, body := of.ask(w, target(w))
				want := c.want(document, method, op, of.of)
				if instead := withoutMore[op.OperationID]; instead != 0 && want == allowed {
					want = instead
				}
				got := w.Send(method, asked, body, c.option(w))
				if got.Status != want && (want != allowed || got.Status >= http.StatusMultipleChoices) {
					t.Errorf("%s by %s: got %d, want %d: %s", op.OperationID, c.name, got.Status, want, got.Body)
				}
				if endsSessions[op.OperationID] && got.Status < http.StatusMultipleChoices {
					h.Session = h.Register()
					if _, err := h.App.Users.Promote(t.Context(), h.ID(h.Session)); err != nil {
						t.Fatal(err)
					}
					w = newWorld(t, h)
				}
			}
		}
	}
	for id := range matrix {
		if !known[id] {
			t.Errorf("there is no operation %s", id)
		}
	}
}
