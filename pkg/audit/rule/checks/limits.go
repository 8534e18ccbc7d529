package checks

// Limits of the platforms, as of November 2026. Lengths are in columns, sizes in pixels or bytes (KB is 1,000 bytes).
// Each line ends with its source; sources.go describes the sources.
const (
	titleLeast, titleBest, titleMost                   = 5, 10, 90 // IND
	titleFull                                          = 60        // AP, IND
	titleX, titleXMost                                 = 70, 100   // X; the second IND
	descriptionLeast, descriptionBest, descriptionMost = 30, 50, 300
	descriptionX, descriptionXMost                     = 200, 300 // X; chat apps stop near 300 (DC, SL)
	altLeast, altMost                                  = 3, 420   // X

	leastBestHeight         = 627      // LI
	largeWidth, largeHeight = 600, 315 // FB
	leastSide               = 200      // FB

	ratioLow, ratioHigh         = 1.81, 2.01 // FB: 1.91 within 5 %
	ratioNearLow, ratioNearHigh = 1.6, 2.2
	squareLow, squareHigh       = 0.95, 1.05
	ratioMost                   = 4.0 // WA

	bytesBest = 300_000   // WA, the safe size in many guides
	bytesChat = 600_000   // WA
	bytesX    = 5_000_000 // X, LI
	bytesMost = 8_000_000 // FB

	cardSummary                       = 144      // X
	cardWidth, cardHeight             = 600, 314 // X shows smaller ones in small size on high-density screens
	cardLeastWidth, cardLeastHeight   = 300, 157 // X
	cardMost                          = 4096     // X
	charsetBytes                      = 1024     // HTML
	pageTitleLow, pageTitleHigh       = 30, 60   // IND
	metaLow, metaHigh                 = 70, 160  // IND
	faviconBest, faviconLeast         = 48, 16   // GS
	freshDays, oldDays                = 365, 730 // IND
	declaredTolerance                 = 0.02
	handleLength, alternatesInMessage = 15, 3
)
