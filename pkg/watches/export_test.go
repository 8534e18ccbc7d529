package watches

import "time"

// SetNow sets the clock.
func (s *Service) SetNow(now func() time.Time) { s.now = now }

// SetReadTime bounds reading a sitemap.
func (s *Service) SetReadTime(d time.Duration) { s.readTime = d }

// RankOfPage is the expression of the index watches_worst.
const RankOfPage = rankOfPage
