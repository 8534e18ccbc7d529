package export

// This file has the one list of what is exported. A test compares it with all tables and columns of the database.

// table is what of a table is exported.
type table struct {
	name string
	// owned is the condition for rows of an account, whose ID is its one parameter.
	owned string
	// key are columns that identify a row, in whose order rows are read.
	key string
	// columns are exported, separated by spaces. A suffix says what a column is: @ a time in milliseconds, ? a truth
	// value, {} JSON.
	columns string
	// omitted columns are secrets, digests of them, and what only this program needs.
	omitted string
}

const (
	byOwner = `owner_id = ?`
	byUser  = `user_id = ?`
)

var tables = []table{
	{"users", `id = ?`, "id", "id email name snippet role plan plan_until@ gift_plan gift_until@ gift_reason paid_plan " +
		"paid_until@ disabled? email_confirmed_at@ email_refused_at@ payment_disputed_at@ payment_refunded_at@ payment_disputes " +
		"payment_refunds created_at@ updated_at@ deleting_at@", "email_key password_hash token_version"},
	{"sessions", byUser, "id", "id device address created_at@ last_used_at@ confirmed_at@ factor_at@",
		"user_id token_version"},
	{"sign_in_places", byUser, "network", "network seen_at@", "user_id"},
	{"email_changes", byUser, "user_id", "email created_at@ expires_at@ old_at@ new_at@",
		"id user_id email_key old_key session_id token_version"},
	{"identities", byUser, "issuer subject", "issuer subject created_at@ last_used_at@", "user_id"},
	{"totp", byUser, "user_id", "active_at@ created_at@", "user_id secret last_step"},
	{"recovery_codes", byUser, "digest", "created_at@", "user_id digest"},
	{"passkeys", byUser, "id", "id name created_at@ last_used_at@", "user_id credential_id credential"},
	{"projects", byOwner, "id", "id public_id name domains{} public_ai? brand_template brand_accent brand_logo " +
		"brand_logo_position brand_heading_font brand_text_font " +
		"require_signature? created_at@ updated_at@", "owner_id signing_key previous_signing_key brand_version"},
	{"domain_checks", ofProjects, "project_id", "project_id checks{}", "failing"},
	{"api_keys", byOwner, "id", "id project_id name prefix created_at@ last_used_at@ rotated_at@", "owner_id digest"},
	{"images", byOwner, "id", "id public_id project_id kind url template style{} ai{} source{} alt warnings{} variant? " +
		"version design_id data{} created_at@ updated_at@ deleting_at@",
		"owner_id cache_key base_key content lacks redraw left_open"},
	{"image_files", ofImages, "image_id name", "image_id position name digest content_type width height size_bytes", ""},
	{"image_backgrounds", ofImages, "image_id", "image_id digest name size", ""},
	{"batches", byOwner, "id", "id project_id key_id total waiting failed created_at@ ended_at@", "owner_id key_project_id"},
	{"batch_entries", ofBatches, "batch_id position", "batch_id position url request state image_id public_url problem", ""},
	{"image_versions", byOwner, "image_id version", "image_id version ai{} source{} alt warnings{} size shown_from@ " +
		"shown_until@", "owner_id picture"},
	{"image_version_files", ofImages, "image_id version name", "image_id version position name digest content_type " +
		"width height size_bytes", ""},
	{"assets", byOwner, "id", "id project_id title digest name width height size family min_weight max_weight italic? " +
		"created_at@", "owner_id"},
	{"designs", byOwner, "id", "id project_id slug title version created_at@ updated_at@ deleting_at@", "owner_id"},
	{"design_versions", ofDesigns, "design_id version", "design_id version digest size source sizes{} key_id created_at@",
		""},
	{"design_drafts", byUser, "design_id", "design_id source url base_version revision saved_at@", "user_id window_id"},
	{"audits", byOwner, "id", "id public_id url final_url title overall og twitter seo created_at@ ai_status ai_error " +
		"ai_analysis{} report{} deleting_at@", "owner_id"},
	{"audit_files", ofAudits, "digest name", "audit_id digest name size", ""},
	{"usage_months", byOwner, "month", "month units pro_units", "owner_id"},
	{"usage_units", byOwner, "month job", "month job pro? public? kind project_id key_id state reserved_at@",
		"owner_id expires_at"},
	{"usage_traffic", byOwner, "day kind", "day kind drawn generate_hits public_hits", "owner_id"},
	{"usage_counts", byOwner, "day project_id key_id kind", "day project_id key_id kind drawn generate_hits public_hits",
		"owner_id"},
	{"usage_analyses", byOwner, "month", "month units", "owner_id"},
	{"mails", byUser, "id", "id kind recipient state error created_at@ ended_at@", "user_id cause data digest collects"},
	{"notifications", byUser, "id", "id kind data{} created_at@ read_at@", "user_id cause"},
	{"notification_preferences", byUser, "kind channel", "kind channel wanted?", "user_id"},
	{"subscriptions", byUser, "user_id", "customer_id subscription_id status plan billing_period period_end@ ending? " +
		"failed_at@ read_at@", "user_id version checkout_number checkout_id checkout_price checkout_at closed_until"},
	{"webhooks", byOwner, "id", "id project_id url events{} enabled? reason failures created_at@ updated_at@ " +
		"deleting_at@", "owner_id secret previous_secret previous_until"},
	{"webhook_deliveries", ofWebhooks, "id", "id webhook_id event_id type subject body{} state attempts event_at@ " +
		"created_at@ base_at@ next_at@", ""},
	{"webhook_attempts", ofDeliveries, "id", "id delivery_id at@ status error response duration", ""},
	{"watches", byOwner, "id", "id kind public_id project_id sitemap_id url every report_id score letter error listed " +
		"note last_at@ next_at@ gone_at@ created_at@ updated_at@ deleting_at@", "owner_id run_id"},
	{"watch_runs", ofWatches, "id", "id watch_id at@ report_id score letter error changes{}", ""},
	{"watch_findings", ofWatches, "id", "id watch_id subject severity told? words{} since@ until@", ""},
	{"sites", byOwner, "id", "id project_id url state error page_limit listed note report{} created_at@ finished_at@",
		"owner_id urls picture_bytes"},
	{"site_pages", ofSites, "site_id url", "site_id url unread? page{}", "place"},
	{"crawler_reads", byOwner, "id", "id report_id host url state error lens{} created_at@ finished_at@", "owner_id"},
	{"audit_events", `actor_id = ?`, "id", "id at@ action subject address request_id times", "actor_id"},
}

const (
	ofImages     = `image_id IN (SELECT id FROM images WHERE owner_id = ?)`
	ofProjects   = `project_id IN (SELECT id FROM projects WHERE owner_id = ?)`
	ofBatches    = `batch_id IN (SELECT id FROM batches WHERE owner_id = ?)`
	ofAudits     = `audit_id IN (SELECT id FROM audits WHERE owner_id = ?)`
	ofDesigns    = `design_id IN (SELECT id FROM designs WHERE owner_id = ?)`
	ofWebhooks   = `webhook_id IN (SELECT id FROM webhooks WHERE owner_id = ?)`
	ofDeliveries = `delivery_id IN (SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
		WHERE w.owner_id = ?)`
	ofSites   = `site_id IN (SELECT id FROM sites WHERE owner_id = ?)`
	ofWatches = `watch_id IN (SELECT id FROM watches WHERE owner_id = ?)`
)

// withoutOwner are the tables that have nothing of an account that could be of use to it: states of this program,
// digests of tokens, and what repeats other tables for a short time.
var withoutOwner = []string{
	"ai_spending", "email_change_links", "export_parts", "exports", "files", "goose_db_version", "hung_work", "idempotency_keys",
	"image_changes", "image_figures", "installation", "jobs", "leases", "login_failures", "maintenance",
	"milestones", "nodes", "passkey_challenges", "password_resets", "refresh_tokens", "scrub", "sign_in_links",
	"site_pictures", "sqlite_sequence", "stripe_events", "sweep_pauses", "ticket_pictures", "tickets",
	"variant_changes", "variant_totals", "variants",
}
