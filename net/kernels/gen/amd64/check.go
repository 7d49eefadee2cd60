package amd64

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// checkRegisters refuses vector registers that the instruction set does not have: avo takes Y16 to Y31,
// which are AVX-512's, without a word when sixteen do not suffice.
func checkRegisters(file *ir.File, limit int) error {
	for _, f := range file.Functions() {
		for _, i := range f.Instructions() {
			for _, op := range i.Operands {
				for _, r := range operand.Registers(op) {
					p, ok := r.(reg.Physical)
					if ok && p.Kind() == reg.KindVector && int(p.PhysicalIndex()) >= limit {
						return fmt.Errorf("%s takes register %s: it needs more than %d", f.Name, p.Asm(), limit)
					}
				}
			}
		}
	}
	return nil
}
