// Package checks has the rules of audits: what each checks, its weight and its messages.
//
// To add a rule, write a [rule.Rule] next to similar ones and add it to the table. The report, the score, and the
// reference in docs/audit-rules.md follow automatically; tests require that each rule has a page that passes and one
// that fails. An ID is never renamed or reused.
package checks

import (
	"sync"

	"masthead/pkg/audit/rule"
)

// Set returns the set of all rules.
var Set = sync.OnceValue(func() *rule.Set { return rule.NewSet(table[:]...) })

// table has all rules.
var table = [...]*rule.Rule{
	&ogCleanValues, &ogCrawlersAllowed, &ogDescription, &ogDescriptionLength, &ogDuplicateTags, &ogImage,
	&ogImageAbsoluteURL, &ogImageAlt, &ogImageAspectRatio, &ogImageDeclaredSize, &ogImageDimensions,
	&ogImageFileSize, &ogImageFormat, &ogImageHTTPS, &ogImageNotLogo, &ogImageReachable, &ogImageSecure,
	&ogImageSingle, &ogLocale, &ogMarkup, &ogOembedAlive, &ogSiteName, &ogThemeColor, &ogTitle, &ogTitleBrand,
	&ogTitleLength, &ogType, &ogURL, &ogURLCanonicalMatch, &ogURLValid,

	&twitterCard, &twitterCardComplete, &twitterCardFitsImage, &twitterCardValid, &twitterCrawlerAllowed,
	&twitterCreator, &twitterDescription, &twitterDescriptionLength, &twitterImage, &twitterImageAlt,
	&twitterImageDimensions, &twitterImageFileSize, &twitterImageFormat, &twitterImageReachable, &twitterImageURL,
	&twitterSite, &twitterTitle, &twitterTitleLength,

	&seoCanonical, &seoCanonicalIndexable, &seoCanonicalTarget, &seoCanonicalValid, &seoCharset, &seoDatePresent,
	&seoFavicon, &seoFreshness, &seoH1, &seoHTTPS, &seoHTTPStatus, &seoHeadIntegrity, &seoHeadingOrder,
	&seoHreflangReciprocal, &seoHreflangValid, &seoImageAlt, &seoIndexable, &seoLang, &seoLinkText,
	&seoLinksCrawlable, &seoMetaDescription, &seoMetaDescriptionLength, &seoMetaRefresh, &seoRedirects,
	&seoRobotsTxt, &seoServerRendered, &seoSnippetAllowed, &seoStructuredData, &seoStructuredDataComplete,
	&seoStructuredDataValid, &seoTitle, &seoTitleCapitals, &seoTitleLength, &seoTouchIcon, &seoViewport,
}
