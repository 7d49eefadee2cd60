package env

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// field is one field of a rule set's text: how its value is written and read.
type field struct {
	key    string
	get    func(r *Rules) string
	set    func(r *Rules, text string) error
	text   bool   // free text, quoted in the canonical text
	since  int    // version of the list that brought it; 0: it was always there
	absent string // its value in a text that does not have it, as get spells it; "" if every text has it
}

// cameWith returns the field as one that a later version of the list brought, from 2 on. Texts of older versions
// do not have it and mean the value absent, which is what the rules were before; so does a canonical text.
func (f field) cameWith(version int, absent string) field {
	f.since, f.absent = version, absent
	return f
}

// isAbsent reports whether the rule set has the value that a text without the field means.
func (f *field) isAbsent(r *Rules) bool { return f.since > 0 && f.get(r) == f.absent }

// fields lists every field in the order of docs/rules.md; the canonical text and the hashes rest on it. A new field
// goes to the end.
var fields = []field{
	{key: "name", get: func(r *Rules) string { return r.Name }, set: setName, text: true},
	{key: "start", get: func(r *Rules) string { return r.Start }, set: func(r *Rules, text string) error { r.Start = text; return nil }, text: true},
	choice("horse", func(r *Rules) *Mobility { return &r.Horse }, "blockable", "leaper"),
	{key: "horse_letter", get: func(r *Rules) string { return string(r.HorseLetter) }, set: setHorseLetter},
	choice("cannon", func(r *Rules) *CannonKind { return &r.Cannon }, "xiangqi", "janggi"),
	choice("elephant", func(r *Rules) *Mobility { return &r.Elephant }, "blockable", "leaper"),
	regionField("elephant_region", func(r *Rules) *uint64 { return &r.ElephantRegion }),
	choice("advisor", func(r *Rules) *AdvisorKind { return &r.Advisor }, "diagonal", "king"),
	regionField("advisor_region", func(r *Rules) *uint64 { return &r.AdvisorRegion }),
	choice("soldier_promotion", func(r *Rules) *PromotionKind { return &r.SoldierPromotion }, "must", "may", "never"),
	pieceSetField("soldier_promotes_to", func(r *Rules) *PieceSet { return &r.SoldierPromotesTo }, soldierPromotions),
	pieceSetField("pawn_promotes_to", func(r *Rules) *PieceSet { return &r.PawnPromotesTo }, pawnPromotions),
	regionField("drop_region", func(r *Rules) *uint64 { return &r.DropRegion }),
	choice("faceoff", func(r *Rules) *FaceoffKind { return &r.FaceoffMoves }, "loses", "illegal", "none"),
	choice("faceoff_lines", func(r *Rules) *FaceoffLines { return &r.FaceoffLines }, "file", "file-or-rank"),
	boolField("campmate", func(r *Rules) *bool { return &r.Campmate }),
	choice("stalemate", func(r *Rules) *Verdict { return &r.Stalemate }, "draw", "loss"),
	choice("perpetual_check", func(r *Rules) *Verdict { return &r.PerpetualCheck }, "draw", "loss"),
	boolField("soldier_step_resets", func(r *Rules) *bool { return &r.SoldierStepResets }),
	intField("no_progress_plies", func(r *Rules) *int { return &r.NoProgressPlies }, 20, 1000),
	intField("campmate_rank", func(r *Rules) *int { return &r.CampmateRank }, 2, 8).cameWith(2, "8"),
}

// fieldByKey returns the field with the given key, nil if there is none.
func fieldByKey(key string) *field {
	for i := range fields {
		if fields[i].key == key {
			return &fields[i]
		}
	}
	return nil
}

// choice makes a field that takes one of a few words, numbered from 0.
func choice[T ~uint8](key string, at func(*Rules) *T, words ...string) field {
	get := func(r *Rules) string { return words[*at(r)] }
	set := func(r *Rules, text string) error {
		for i, word := range words {
			if word == text {
				*at(r) = T(i)
				return nil
			}
		}
		return fmt.Errorf("%s is not one of %s", quoteShort(text), strings.Join(words, ", "))
	}
	return field{key: key, get: get, set: set}
}

func boolField(key string, at func(*Rules) *bool) field {
	get := func(r *Rules) string { return strconv.FormatBool(*at(r)) }
	set := func(r *Rules, text string) error {
		if text != "true" && text != "false" {
			return fmt.Errorf("%s is neither true nor false", quoteShort(text))
		}
		*at(r) = text == "true"
		return nil
	}
	return field{key: key, get: get, set: set}
}

// intField makes a field that takes a whole number from low to high.
func intField(key string, at func(*Rules) *int, low, high uint64) field {
	get := func(r *Rules) string { return strconv.Itoa(*at(r)) }
	set := func(r *Rules, text string) error {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n < low || n > high {
			return fmt.Errorf("%s is not a whole number from %d to %d", quoteShort(text), low, high)
		}
		*at(r) = int(n)
		return nil
	}
	return field{key: key, get: get, set: set}
}

const maxNameLength = 200

func setName(r *Rules, text string) error {
	if text == "" || len(text) > maxNameLength || strings.TrimSpace(text) != text {
		return fmt.Errorf("must have 1 to %d characters and no blanks around them", maxNameLength)
	}
	for _, c := range text {
		if !strconv.IsPrint(c) {
			return fmt.Errorf("holds the unprintable character %q", c)
		}
	}
	r.Name = text
	return nil
}

func setHorseLetter(r *Rules, text string) error {
	if text != "h" && text != "n" {
		return fmt.Errorf("%s is neither h nor n", quoteShort(text))
	}
	r.HorseLetter = text[0]
	return nil
}

// promotionLetter is a piece and its letter in a promotion field, whatever horse_letter is.
type promotionLetter struct {
	letter byte
	piece  Piece
}

var (
	soldierPromotions = []promotionLetter{{'r', Chariot}, {'h', Horse}, {'c', Cannon}, {'e', Elephant}, {'a', Advisor}}
	pawnPromotions    = []promotionLetter{{'q', Queen}, {'r', Rook}, {'b', Bishop}, {'n', Knight}}
)

// pieceSetField makes a field of promotion letters; "-" is the empty set.
func pieceSetField(key string, at func(*Rules) *PieceSet, letters []promotionLetter) field {
	get := func(r *Rules) string {
		text := ""
		for _, l := range letters {
			if at(r).Has(l.piece) {
				text += string(l.letter)
			}
		}
		if text == "" {
			return `"-"` // a bare dash would begin a list
		}
		return text
	}
	set := func(r *Rules, text string) error {
		var pieces PieceSet
		if text == "-" {
			text = ""
		}
		for i := range len(text) {
			piece := NoPiece
			for _, l := range letters {
				if l.letter == text[i] {
					piece = l.piece
				}
			}
			if piece == NoPiece || pieces.Has(piece) {
				return fmt.Errorf("%s: %q is unknown or appears twice; the letters are %s", quoteShort(text), text[i], lettersOf(letters))
			}
			pieces |= 1 << piece
		}
		*at(r) = pieces
		return nil
	}
	return field{key: key, get: get, set: set}
}

func lettersOf(letters []promotionLetter) string {
	var words []string
	for _, l := range letters {
		words = append(words, string(l.letter))
	}
	return strings.Join(words, " ")
}

// regionField makes a field that holds a region: all, ranks (5, 5-8) or squares (d7 e7 f7).
func regionField(key string, at func(*Rules) *uint64) field {
	get := func(r *Rules) string { return regionText(*at(r)) }
	set := func(r *Rules, text string) error {
		region, err := parseRegion(text)
		if err == nil {
			*at(r) = region
		}
		return err
	}
	return field{key: key, get: get, set: set}
}

func parseRegion(text string) (uint64, error) {
	if text == "all" {
		return allSquares, nil
	}
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	if isRank(low) && isRank(high) && low <= high {
		n := high[0] - low[0] + 1
		return (1<<(8*n) - 1) << (8 * (low[0] - '1')), nil
	}
	var region uint64
	for _, word := range strings.Fields(text) {
		s, ok := readSquare(word)
		if !ok {
			region = 0
			break
		}
		region |= 1 << s
	}
	if region == 0 {
		return 0, fmt.Errorf("%s is not a region: write all, ranks (5 or 5-8) or squares (d7 e7 f7)", quoteShort(text))
	}
	return region, nil
}

func isRank(text string) bool { return len(text) == 1 && text[0] >= '1' && text[0] <= '8' }

// regionText writes a region in the shortest of the three ways.
func regionText(region uint64) string {
	if region == allSquares {
		return "all"
	}
	low, high := bits.TrailingZeros64(region)/8, 7-bits.LeadingZeros64(region)/8
	if n := high - low + 1; region == (1<<(8*n)-1)<<(8*low) {
		if n == 1 {
			return fmt.Sprint(low + 1)
		}
		return fmt.Sprintf("%d-%d", low+1, high+1)
	}
	var squares []string
	for b := region; b != 0; b &= b - 1 {
		squares = append(squares, first(b).String())
	}
	return strings.Join(squares, " ")
}
