package env

import (
	"errors"
	"fmt"
)

// finish derives everything from the fields and reads the start position; Start is written anew in the
// output dialect. It refuses combinations that cannot be played.
func (r *Rules) finish() error {
	switch {
	case r.PawnPromotesTo == 0:
		return errors.New("pawn_promotes_to: a Pawn on rank 8 must become something: name at least one of q r b n")
	case r.SoldierPromotion != NeverPromote && r.SoldierPromotesTo == 0:
		return errors.New("soldier_promotes_to: Soldiers promote to nothing: name at least one of r h c e a, or set soldier_promotion: never")
	case r.SoldierPromotion == MustPromote && r.DropRegion&rank1 != 0:
		return errors.New("drop_region: holds squares of rank 1, where Soldiers must promote: leave them out, or set soldier_promotion: may or never")
	}
	r.derived = derived{}
	r.derive()
	start, err := r.readFEN(r.Start)
	if err == nil {
		err = r.checkStart(&start)
	}
	if err != nil {
		return fmt.Errorf("start: FEN %s: %w", quoteShort(r.Start), err)
	}
	r.start = start
	r.Start = r.FEN(&start)
	r.deriveHashes()
	return nil
}
