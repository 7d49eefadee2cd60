package datasets

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// docs/runs.md names every place in a run's folder.
func TestRunFolderIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "runs.md"))
	if err != nil {
		t.Fatal(err)
	}
	folder := reflect.ValueOf(RunFolder("run"))
	places := 0
	for i := range folder.NumMethod() {
		method := folder.Method(i)
		if method.Type().NumOut() != 1 {
			continue // looks into the folder
		}
		args := make([]reflect.Value, method.Type().NumIn())
		for k := range args {
			args[k] = reflect.ValueOf(7)
		}
		path := method.Call(args)[0].String()
		within, ok := strings.CutPrefix(path, "run"+string(filepath.Separator))
		name, rest, _ := strings.Cut(within, string(filepath.Separator))
		if rest != "" || filepath.Ext(name) == "" && name != "lock" {
			name += "/"
		}
		if !ok || !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("%s: docs/runs.md has no %s", path, name)
		}
		places++
	}
	if places < 15 {
		t.Errorf("%d places", places)
	}
}

func TestNewestOfARunFolder(t *testing.T) {
	f := RunFolder(t.TempDir())
	if _, err := f.NewestWeights(); err == nil || !strings.Contains(err.Error(), "not a run's") {
		t.Errorf("an empty folder: error %v", err)
	}
	for _, dir := range []string{f.Weights(), f.Checkpoints()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := f.Complete(); err != nil || n != 0 {
		t.Errorf("no checkpoint: generation %d, %v", n, err)
	}
	for _, path := range []string{f.WeightsOf(0), f.WeightsOf(12), f.WeightsOf(9), f.CheckpointOf(11), f.CheckpointOf(9), f.CheckpointOf(12) + ".tmp"} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if path, err := f.NewestWeights(); err != nil || path != f.WeightsOf(12) {
		t.Errorf("newest weights %s, %v", path, err)
	}
	if n, err := f.Complete(); err != nil || n != 11 {
		t.Errorf("complete generation %d, %v", n, err)
	}
}
