package net

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

func quantised(t testing.TB) *Weights {
	t.Helper()
	w := small()
	if err := w.SetQuantisation(&Quantisation{Limits: [][]float32{{1, 2.5}, {0.1, 3e-7}}, Positions: 9}); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestQuantisationIsKeptInTheFile(t *testing.T) {
	w := quantised(t)
	got, err := Read(bytes.NewReader(encoded(t, w)))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, w) || got.Quantisation() == nil {
		t.Errorf("read %+v, wrote %+v", got.Quantisation(), w.Quantisation())
	}
	if !reflect.DeepEqual(w.Clone(), w) {
		t.Error("a clone differs")
	}
}

// Programs that do not know the section must be able to skip it.
func TestQuantisationIsOptional(t *testing.T) {
	list, err := decodeFile(bytes.NewReader(encoded(t, quantised(t))))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.name == sectionInt16 && s.flags&flagRequired == 0 {
			return
		}
	}
	t.Error("there is no optional section of that name")
}

func TestQuantisationGoesStale(t *testing.T) {
	w := quantised(t)
	w.Tensors[0].Data[0]++
	if w.Quantisation() != nil || w.QuantisedID() != "" {
		t.Error("the quantisation of other tensors is still there")
	}
	if got, err := Read(bytes.NewReader(encoded(t, w))); err != nil || got.Quantisation() != nil {
		t.Errorf("a stale quantisation was written: %v", err)
	}
}

func TestQuantisedIDHashesLimits(t *testing.T) {
	w := quantised(t)
	id := w.QuantisedID()
	if id == w.EvalID() || w.EvalID() != small().EvalID() {
		t.Errorf("ids %s, %s, without quantisation %s", id, w.EvalID(), small().EvalID())
	}
	q := *w.Quantisation()
	q.Positions++
	if err := w.SetQuantisation(&q); err != nil || w.QuantisedID() != id {
		t.Errorf("the number of positions changes the id: %v", err)
	}
	q.Limits[1][0] *= 2
	if err := w.SetQuantisation(&q); err != nil || w.QuantisedID() == id {
		t.Errorf("a limit does not change the id: %v", err)
	}
	if err := w.SetQuantisation(nil); err != nil || w.QuantisedID() != "" {
		t.Errorf("without quantisation the id is %q, error %v", w.QuantisedID(), err)
	}
}

func TestBadQuantisations(t *testing.T) {
	for name, limits := range map[string][][]float32{
		"layers":   {{1, 2}},
		"channels": {{1, 2}, {1}},
		"zero":     {{1, 2}, {1, 0}},
		"negative": {{1, 2}, {-1, 1}},
		"NaN":      {{1, 2}, {1, float32(math.NaN())}},
		"Inf":      {{float32(math.Inf(1)), 2}, {1, 1}},
	} {
		if err := small().SetQuantisation(&Quantisation{Limits: limits}); err == nil || !strings.Contains(err.Error(), "calibrate again") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, payload := range []string{`{`, `{"limits":[[1,2]]}`, `{"limits":[[1,2],[1,0]]}`, `{"limits":[[1,2],[1,1e99]]}`, `{"scales":1}`} {
		list := append(sections(t), section{sectionInt16, typeJSON, 0, []byte(payload)})
		if _, err := Read(bytes.NewReader(encodeFile(1, list))); err == nil || !strings.Contains(err.Error(), sectionInt16) {
			t.Errorf("%s: error %v", payload, err)
		}
	}
	// JSON's null is no quantisation.
	list := append(sections(t), section{sectionInt16, typeJSON, 0, []byte("null")})
	if w, err := Read(bytes.NewReader(encodeFile(1, list))); err != nil || w.Quantisation() != nil {
		t.Errorf("null: %v, %v", w, err)
	}
}
