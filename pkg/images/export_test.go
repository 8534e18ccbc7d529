package images

// ForgetUses lets the next use of each outdated picture be looked at, as if the last one were longer ago.
func (s *Service) ForgetUses() { s.redraws.looked.Purge() }
