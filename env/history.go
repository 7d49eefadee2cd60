package env

import (
	"slices"
)

// History remembers the positions of a game as far as repetition needs them: hashes, and who was in
// check. Entry 0 is the start position. A game and a search on top of it use the same type: Push on the
// way down, Pop on the way up. It does not allocate once it has grown. The zero value is empty; Reset
// comes first.
type History struct {
	entries []historyEntry
	starter Army // to move in entry 0
}

// historyEntry is one position.
type historyEntry struct {
	hash        uint64
	since       int32 // first entry that could be the same position: the last irreversible move led there
	previous    int32 // the latest earlier occurrence of the position, noEntry if there is none
	occurrences int32 // how many earlier occurrences there are
	inCheck     bool  // the side to move is in check: the move that led here gave check
	repeated    bool  // this or an earlier position since the last irreversible move has occurred before
}

const noEntry = -1

// Reset begins anew with the start position p.
func (h *History) Reset(p *Position, inCheck bool) {
	h.starter = p.side
	h.entries = append(h.entries[:0], historyEntry{hash: p.hash, previous: noEntry, inCheck: inCheck})
}

// Push adds the position after a move. irreversible says that no earlier position can come again, as is
// certain if p.PlyCount() is 0; it only spares comparisons and may be false when in doubt.
func (h *History) Push(p *Position, inCheck, irreversible bool) {
	n := int32(len(h.entries))
	e := historyEntry{hash: p.hash, since: h.entries[n-1].since, previous: noEntry, inCheck: inCheck}
	if irreversible {
		e.since = n
	} else {
		e.repeated = h.entries[n-1].repeated
	}
	for i := n - 4; i >= e.since; i -= 2 {
		if earlier := &h.entries[i]; earlier.hash == e.hash {
			e.previous, e.occurrences, e.repeated = i, earlier.occurrences+1, true
			break
		}
	}
	h.entries = append(h.entries, e)
}

// Pop takes the last position away.
func (h *History) Pop() { h.entries = h.entries[:len(h.entries)-1] }

// Len returns the number of positions, the start position included.
func (h *History) Len() int { return len(h.entries) }

// CopyFrom makes h a copy of src that shares nothing with it.
func (h *History) CopyFrom(src *History) {
	h.starter = src.starter
	h.entries = append(h.entries[:0], src.entries...)
}

// Occurrences returns how often the last position has occurred before.
func (h *History) Occurrences() int { return int(h.last().occurrences) }

// Repeated reports whether any position since the last irreversible move stood twice. Unless it does, no
// single move leads to a third occurrence.
func (h *History) Repeated() bool { return h.last().repeated }

// EarlierAt returns the index of the nth-latest earlier occurrence of the last position (1 is the
// latest), -1 if there are fewer.
func (h *History) EarlierAt(nth int) int {
	at := len(h.entries) - 1
	for ; nth > 0 && at != noEntry; nth-- {
		at = int(h.entries[at].previous)
	}
	return at
}

// CheckedThroughout reports whether army a has given check with each of its moves since the position
// with index from.
func (h *History) CheckedThroughout(from int, a Army) bool {
	// Army a's moves lead to the entries in which the other army is to move.
	at := from + 1
	if h.moverAt(at) == a {
		at++
	}
	for ; at < len(h.entries); at += 2 {
		if !h.entries[at].inCheck {
			return false
		}
	}
	return true
}

// RepetitionOutcome judges the last position: undecided before its third occurrence, then a draw, or
// under perpetual_check: loss the loss of the one side that gave check with each of its moves since the
// first of the three.
func (h *History) RepetitionOutcome(r *Rules) Outcome {
	if h.Occurrences() < 2 {
		return Outcome{}
	}
	if r.PerpetualCheck == VerdictLoss {
		from := h.EarlierAt(2)
		western, eastern := h.CheckedThroughout(from, Western), h.CheckedThroughout(from, Eastern)
		if western != eastern {
			if western {
				return Outcome{EasternWins, Perpetual}
			}
			return Outcome{WesternWins, Perpetual}
		}
	}
	return Outcome{Draw, Repetition}
}

func (h *History) last() *historyEntry { return &h.entries[len(h.entries)-1] }

// moverAt returns who is to move in an entry.
func (h *History) moverAt(at int) Army { return h.starter ^ Army(at&1) }

// Continues reports whether the history begins with all of earlier: a search of an earlier position of
// the same game may then be gone on with.
func (h *History) Continues(earlier *History) bool {
	n := len(earlier.entries)
	return h.starter == earlier.starter && len(h.entries) >= n && slices.Equal(h.entries[:n], earlier.entries)
}
