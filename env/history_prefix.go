package env

import "slices"

// Continues reports whether the history begins with all of earlier: a search of an earlier position of
// the same game may then be gone on with.
func (h *History) Continues(earlier *History) bool {
	n := len(earlier.entries)
	return h.starter == earlier.starter && len(h.entries) >= n && slices.Equal(h.entries[:n], earlier.entries)
}
