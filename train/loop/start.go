package loop

import (
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
	"synochess/net"
	"synochess/net/fast"
	"synochess/selfplay/netagent"
)

// Identity is run.json: which run this is and what began it.
type Identity struct {
	RunID      string     `json:"run_id"`
	Program    string     `json:"program"`
	KernelPath string     `json:"kernel_path"` // that it began on; history.yaml has where it went on
	System     string     `json:"system"`      // operating system/architecture
	CPUs       int        `json:"cpus"`
	Go         string     `json:"go"`
	From       string     `json:"from,omitempty"` // evaluation id, in float32, of the weights it began with, if they were trained
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
	w := net.New(cfg.Net, cfg.Seed)
	from := o.From
	if r.complete > 0 { // a run of which config.yaml and run.json were not copied
		if o.From != nil || o.GamesFrom != "" {
			return nil, fmt.Errorf("%s has %d complete generations already and goes on with those; give another folder to begin with other weights or games", r.folder, r.complete)
		}
		if from, err = r.keptStart(w); err != nil {
			return nil, err
		}
	}
	if err := o.CheckBeginning(cfg); err != nil {
		return nil, err
	}
	if from != nil {
		w = from.Clone()
		id.From = w.EvalID()
		text = append(text, id.From...)
	}
	if err := r.saveStart(w); err != nil {
		return nil, err
	}
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
	if o.From != nil {
		if err := sameArch(cfg.Net.Complete(), o.From.Arch); err != nil {
			return fmt.Errorf("--from: %w", err)
		}
	}
	if o.GamesFrom != "" {
		_, err := gameFiles(o.GamesFrom)
		return err
	}
	return nil
}

// keptStart returns the trained weights that complete generations began with, nil if they were untrained or are gone.
func (r *run) keptStart(untrained *net.Weights) (*net.Weights, error) {
	w, err := net.Load(r.folder.WeightsOf(0))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case w.EvalID() == untrained.EvalID():
		return nil, nil
	}
	return w, r.sameNetwork(w)
}

// sameNetwork says in what a network of the run differs from those of the configuration.
func (r *run) sameNetwork(w *net.Weights) error {
	if err := sameArch(r.cfg.Net.Complete(), w.Arch); err != nil {
		return fmt.Errorf("%s: %w (settings that a configuration does not name, as one of an older program may not, are the presets')", r.folder.WeightsOf(0), err)
	}
	return nil
}

// saveStart writes the network of generation 0.
func (r *run) saveStart(w *net.Weights) error {
	if err := netagent.Calibrate(r.machine.Kernels, w, r.cfg.Precision, r.rules); err != nil {
		return err
	}
	return fast.Save(r.folder.WeightsOf(0), w)
}

// sameBeginning makes sure that a run which goes on is asked for no other beginning than it had.
func (r *run) sameBeginning(id *Identity, o *Options) error {
	if o.From != nil && o.From.EvalID() != id.From {
		began := "untrained weights"
		if id.From != "" {
			began = "weights of evaluation id " + id.From
		}
		return fmt.Errorf("the run in %s began with %s, and --from gives others (%s): leave --from out to go on, or give another folder to begin anew",
			r.folder, began, o.From.EvalID())
	}
	if err := r.sameGames(id, o.GamesFrom); err != nil {
		return fmt.Errorf("%w: leave --games-from out to go on, or give another folder to begin anew", err)
	}
	w, err := net.Load(r.folder.WeightsOf(0))
	switch {
	case err == nil:
		return r.sameNetwork(w)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case id.From != "":
		return fmt.Errorf("%s is gone, the weights that the run began with; restore it", r.folder.WeightsOf(0))
	}
	return r.saveStart(net.New(r.cfg.Net, r.cfg.Seed))
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
	if differ == nil {
		return fmt.Errorf("the weights have other inputs (%d planes, %d scalars, %d policy planes) than this program makes (%d, %d, %d): use the synochess they were made with",
			is.Planes, is.Scalars, is.PolicyPlanes, want.Planes, want.Scalars, want.PolicyPlanes)
	}
	return fmt.Errorf("the weights are of another architecture: %s; take theirs with %s", strings.Join(differ, "; "), strings.Join(remedy, " "))
}
