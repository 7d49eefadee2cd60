package amd64

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// Seventeen sums at once need a register that AVX2 does not have.
func TestCheckRegisters(t *testing.T) {
	for sums, want := range map[int]string{16: "", 17: "Y16"} {
		c := build.NewContext()
		c.Function("f")
		c.SignatureExpr("func(x *float32)")
		x := c.GP64()
		c.Load(c.Param("x"), x)
		var list []reg.VecVirtual
		for range sums {
			v := c.YMM()
			c.VMOVUPS(operand.Mem{Base: x}, v)
			list = append(list, v)
		}
		for _, v := range list {
			c.VMOVUPS(v, operand.Mem{Base: x})
		}
		c.RET()
		file, err := c.Result()
		if err != nil {
			t.Fatal(err)
		}
		if err := pass.Compile.Execute(file); err != nil {
			t.Fatal(err)
		}
		switch err := checkRegisters(file, AVX2.Registers); {
		case want == "" && err != nil:
			t.Errorf("%d registers are refused: %v", sums, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%d registers: error %v does not name %s", sums, err, want)
		}
	}
}
