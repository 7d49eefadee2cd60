package uciengine

import (
	"math"
	"strconv"
	"strings"
)

// wdl is win, draw and loss for the mover as the engine sees them: they sum to 1, or are all 0 if it has said nothing.
type wdl [3]float32

// read takes the value of a line "info ... score cp 12 ..." or "score mate -3"; other lines leave it as it is.
// Centipawns become a value q in [-1,1] by the curve with which Leela Chess Zero and our own engine print them:
// cp = 90*tan(1.5637541897*q).
func (v *wdl) read(line string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	for i := 1; i+2 < len(words); i++ {
		if words[i] != "score" {
			continue
		}
		n, err := strconv.Atoi(words[i+2])
		if err != nil {
			return
		}
		var q float64
		switch words[i+1] {
		case "cp":
			q = math.Atan(float64(n)/90) / 1.5637541897
			q = max(-1, min(1, q))
		case "mate":
			q = 1
			if n <= 0 {
				q = -1
			}
		default:
			return
		}
		*v = wdl{float32((1 + q) / 2), 0, float32((1 - q) / 2)}
		return
	}
}
