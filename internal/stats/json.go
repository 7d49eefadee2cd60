package stats

import (
	"encoding/json"
	"math"
)

// differenceJSON is a Difference in JSON, which knows no infinite numbers. There null stands for an end that the
// games do not bound, and for an estimate that is infinite or undefined.
type differenceJSON struct {
	Elo        *float64 `json:"elo"`
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
	Armies     *float64 `json:"armies"`
	ArmiesLow  *float64 `json:"armies_low"`
	ArmiesHigh *float64 `json:"armies_high"`
	Pairs      int      `json:"pairs"`
	Games      int      `json:"games"`
}

// MarshalJSON writes null for an end that the games do not bound, and for an infinite or undefined estimate.
func (d Difference) MarshalJSON() ([]byte, error) {
	return json.Marshal(differenceJSON{
		finite(d.Elo), finite(d.Low), finite(d.High),
		finite(d.Armies), finite(d.ArmiesLow), finite(d.ArmiesHigh), d.Pairs, d.Games,
	})
}

// UnmarshalJSON reads what MarshalJSON writes, to the same values.
func (d *Difference) UnmarshalJSON(text []byte) error {
	var j differenceJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*d = Difference{Pairs: j.Pairs, Games: j.Games}
	d.Elo, d.Low, d.High = bounds(j.Elo, j.Low, j.High)
	d.Armies, d.ArmiesLow, d.ArmiesHigh = bounds(j.Armies, j.ArmiesLow, j.ArmiesHigh)
	return nil
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// bounds gives null its meaning: an estimate without one end of its interval lies at that end.
func bounds(estimate, low, high *float64) (e, l, h float64) {
	e, l, h = math.NaN(), math.Inf(-1), math.Inf(1)
	if low != nil {
		l, e = *low, h
	}
	if high != nil {
		h = *high
		if low == nil {
			e = l
		}
	}
	if estimate != nil {
		e = *estimate
	}
	return e, l, h
}
