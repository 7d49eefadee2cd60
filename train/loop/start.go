package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"strings"

	"github.com/cespare/xxhash/v2"
	"go.yaml.in/yaml/v4"

	"synochess/datasets"
	"synochess/internal/setting"
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay/netagent"
	"synochess/weights"
)

// Identity is run.json: which run this is and what began it.
type Identity struct {
	RunID      string     `json:"run_id"`
	Program    string     `json:"program"`
	KernelPath string     `json:"kernel_path"` // that it began on; history.yaml has where it went on
	System     string     `json:"system"`      // operating system/architecture
	CPUs       int        `json:"cpus"`
	Go         string     `json:"go"`
	From       string     `json:"from,omitempty"` // evaluation id, in float32, of the trained weights that those it began with were grown from
	Inherited  *Inherited `json:"inherited,omitempty"`
}

// readIdentity reads run.json.
func readIdentity(f datasets.RunFolder) (*Identity, error) {
	text, err := os.ReadFile(f.Identity())
	if err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	id := &Identity{}
	if err := json.Unmarshal(text, id); err != nil {
		return nil, fmt.Errorf("%s: %w; restore it or start another run", f.Identity(), err)
	}
	return id, nil
}

// Shipped is what the network in the program is called, where weights are named. A file of that name is ./shipped.
const Shipped = "shipped"

// LoadWeights reads a weights file, the newest one of a run's folder, or the shipped one.
func LoadWeights(path string) (*net.Weights, error) {
	if path == Shipped {
		return net.Read(bytes.NewReader(weights.Shipped))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if path, err = datasets.RunFolder(path).NewestWeights(); err != nil {
			return nil, fmt.Errorf("weights: %w", err)
		}
	}
	return net.Load(path)
}

// first returns the network that a new run begins with, and the evaluation id in float32 of the trained one that it was
// grown from; "" if it is untrained.
func (c *Config) first() (w *net.Weights, from string, err error) {
	if c.Start == "" {
		return net.New(c.Net, c.Seed), "", nil
	}
	trained, err := LoadWeights(c.Start)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", fmt.Errorf("start: %q is neither a weights file nor a run's folder; name one, or shipped, or begin with untrained weights (start: \"\")", c.Start)
	case err != nil:
		return nil, "", fmt.Errorf("start: %w", err)
	}
	if w, err = net.Grow(trained, c.Net, c.Seed); err != nil {
		return nil, "", fmt.Errorf("start: %s: %w", c.Start, setting.In("net", err))
	}
	return w, trained.EvalID(), nil
}

// begin writes the weights that a new run begins with, takes over games, and writes run.json.
func (r *run) begin(cfg *Config, o *Options, kernelPath string) (*Identity, error) {
	text, err := yaml.Marshal(cfg)
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	id := &Identity{
		Program: o.Program, KernelPath: kernelPath, System: runtime.GOOS + "/" + runtime.GOARCH,
		CPUs: runtime.NumCPU(), Go: runtime.Version(),
	}
	if r.complete > 0 { // a run of which config.yaml and run.json were not copied
		if o.GamesFrom != "" {
			return nil, fmt.Errorf("%s has %d complete generations already and goes on with those; give another folder to begin with other games", r.folder, r.complete)
		}
		if id.From, err = r.rememberedStart(); err != nil {
			return nil, err
		}
		if err := r.sameStart(id); err != nil {
			return nil, err
		}
	} else {
		if err := o.CheckBeginning(cfg); err != nil {
			return nil, err
		}
		var w *net.Weights
		if w, id.From, err = cfg.first(); err != nil {
			return nil, err
		}
		if err := r.saveFirst(w); err != nil {
			return nil, err
		}
	}
	text = append(text, id.From...)
	if o.GamesFrom != "" {
		if id.Inherited, err = r.inherit(o.GamesFrom); err != nil {
			return nil, err
		}
		text = fmt.Append(text, *id.Inherited)
	}
	id.RunID = fmt.Sprintf("%016x", xxhash.Sum64(text))
	return id, writeJSON(r.folder.Identity(), id)
}

// CheckBeginning says why a new run cannot begin with the weights and games that are given.
func (o *Options) CheckBeginning(cfg *Config) error {
	if _, _, err := cfg.first(); err != nil {
		return err
	}
	if o.GamesFrom != "" {
		_, err := gameFiles(o.GamesFrom)
		return err
	}
	return nil
}

// rememberedStart returns Identity.From as the run's newest weights tell it.
func (r *run) rememberedStart() (string, error) {
	w, err := net.Load(r.folder.WeightsOf(r.complete))
	if err != nil {
		return "", err
	}
	record, err := RecordOf(w)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.folder.WeightsOf(r.complete), err)
	}
	return record.From, nil
}

// sameNetwork says in what a network of the run differs from those of the configuration.
func (r *run) sameNetwork(w *net.Weights) error {
	if err := sameArch(r.cfg.Net.Complete(), w.Arch); err != nil {
		return fmt.Errorf("%s: %w (settings that a configuration does not name, as one of an older program may not, are the presets')", r.folder.WeightsOf(0), err)
	}
	return nil
}

// saveFirst writes the network of generation 0.
func (r *run) saveFirst(w *net.Weights) error {
	if err := netagent.Calibrate(r.machine.Kernels, w, r.cfg.Precision, r.rules); err != nil {
		return err
	}
	return fast.Save(r.folder.WeightsOf(0), w)
}

// sameStart makes sure that a run which goes on has the network that it began with. It is made again where it is gone and
// can be; what it was grown from is not needed otherwise, and may have learned more since.
func (r *run) sameStart(id *Identity) error {
	if r.cfg.Start != "" && id.From == "" {
		return fmt.Errorf("the run in %s began with untrained weights, and start is %q: set it to \"\" to go on, or give another folder to begin anew",
			r.folder, r.cfg.Start)
	}
	path := r.folder.WeightsOf(0)
	w, err := net.Load(path)
	switch {
	case err == nil:
		return r.sameNetwork(w)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	w, from, err := r.cfg.first()
	switch {
	case err != nil:
		return fmt.Errorf("%s is gone, the weights that the run began with, and cannot be made again (%w); restore it", path, err)
	case from != id.From:
		return fmt.Errorf("%s is gone: the weights that the run began with, grown from those of evaluation id %s, which start (%q) does not give; restore it",
			path, id.From, r.cfg.Start)
	}
	return r.saveFirst(w)
}

// sameArch says in what an architecture differs from the one wanted.
func sameArch(want, is net.Arch) error {
	if want == is {
		return nil
	}
	var differ, remedy []string
	a, b := reflect.ValueOf(want), reflect.ValueOf(is)
	for i := range a.NumField() {
		key, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("yaml"), ",")
		if theirs := b.Field(i).Int(); key != "-" && a.Field(i).Int() != theirs {
			differ = append(differ, fmt.Sprintf("net.%s is %d, in the configuration %d", key, theirs, a.Field(i).Int()))
			remedy = append(remedy, fmt.Sprintf("--set net.%s=%d", key, theirs))
		}
	}
	return fmt.Errorf("the weights are of another architecture: %s; take theirs with %s", strings.Join(differ, "; "), strings.Join(remedy, " "))
}
