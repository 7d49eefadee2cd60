package uciengine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/setting"
	"synochess/selfplay"
)

// Config describes an engine.
type Config struct {
	Name     string            `yaml:"-"` // how it is called in records and reports
	Command  string            `yaml:"command" required:"" doc:"the program to start"`
	Args     []string          `yaml:"args,omitempty" doc:"its arguments"`
	Options  map[string]string `yaml:"options,omitempty" doc:"UCI options by name"`
	Variants map[string]string `yaml:"variants,omitempty" doc:"what the engine calls a rule set, by its name here; where it is not listed, the same"`
	Fresh    bool              `yaml:"fresh,omitempty" doc:"a new process for every game, for engines that do not forget"`
	Patience time.Duration     `yaml:"patience,omitempty" range:"[0,)" doc:"how long to wait for any answer that no limit of time bounds; 0s: a minute"`
}

// Validate names what is missing or cannot be.
func (c *Config) Validate() error {
	if err := setting.Check(c); err != nil {
		return err
	}
	for name, value := range c.Options {
		if name == "" || strings.ContainsAny(name+value, "\r\n") {
			return setting.Errorf("options", "has %q: %q: neither may hold a line break, and a name may not be empty", name, value)
		}
	}
	return nil
}

// maxFailures is the number of failures in a row, without a legal move in between, after which an engine is taken
// for broken.
const maxFailures = 10

// Seats is how many games with an engine a worker should play at a time: each has a process of its own.
const Seats = 3

// Broken is the error that ends a match with an engine that failed many times in a row.
type Broken struct {
	Name     string // of the engine
	Failures int    // in a row, without a legal move in between
	Last     string // what it did
}

// Error says what the engine did.
func (b *Broken) Error() string {
	return fmt.Sprintf("engine %s failed %d times in a row without a legal move; the last time: %s", b.Name, b.Failures, b.Last)
}

// Engine is an engine that has proven that it plays our game. It implements selfplay.Agent.
type Engine struct {
	cfg      Config
	once     sync.Once    // sets id
	id       string       // what it calls itself
	failures atomic.Int32 // in a row, of all its processes
}

// Open starts the engine once and lets it prove that it plays by rules r (prove); an engine that does not
// is an error that says what it did.
func Open(ctx context.Context, cfg Config, r *env.Rules) (*Engine, error) {
	if cfg.Patience == 0 {
		cfg.Patience = time.Minute
	}
	e := &Engine{cfg: cfg}
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("engine %s: %w", cfg.Name, err)
	}
	if err := e.prove(ctx, r); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("engine %s: %w", cfg.Name, err)
	}
	return e, nil
}

// Info implements selfplay.Agent.
func (e *Engine) Info() datasets.AgentInfo {
	settings, err := json.Marshal(struct {
		Command string            `json:"command"`
		Args    []string          `json:"args,omitempty"`
		Options map[string]string `json:"options,omitempty"`
		Fresh   bool              `json:"fresh,omitempty"`
	}{e.cfg.Command, e.cfg.Args, e.cfg.Options, e.cfg.Fresh})
	if err != nil {
		settings = fmt.Append(nil, e.cfg)
	}
	return datasets.AgentInfo{Kind: e.cfg.Name, EvalID: e.id, Settings: string(settings)}
}

// Open implements selfplay.Agent.
func (e *Engine) Open() (selfplay.Table, error) { return &table{engine: e}, nil }

// greet begins to talk with a new process and sets its options. It returns the options that the engine lists: what
// follows " type ", by name in lower case. After an error the process is dead.
func (e *Engine) greet(p *process) (known map[string]string, err error) {
	known = map[string]string{}
	id := ""
	err = p.tell("uci")
	if err == nil {
		_, err = p.until(e.startPatience(), func(line string) bool {
			if name, ok := strings.CutPrefix(line, "id name "); ok {
				id = name
			}
			if option, ok := strings.CutPrefix(line, "option name "); ok {
				name, rest, _ := strings.Cut(option, " type ")
				known[strings.ToLower(name)] = rest
			}
			return line == "uciok"
		})
	}
	if err != nil {
		return nil, fmt.Errorf("`uci`: %w%s", err, p.complaint())
	}
	e.once.Do(func() { e.id = id })
	var orders []string
	for _, name := range slices.Sorted(maps.Keys(e.cfg.Options)) {
		if _, ok := known[strings.ToLower(name)]; !ok {
			p.kill()
			return nil, fmt.Errorf("it has no option %q; it lists: %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		orders = append(orders, "setoption name "+name+" value "+e.cfg.Options[name])
	}
	if len(orders) > 0 {
		if err := p.tell(orders...); err != nil {
			return nil, fmt.Errorf("%w%s", err, p.complaint())
		}
	}
	return known, e.ready(p, func(string) {})
}

// ready waits until the process has done what it was told, and calls see with every line that it says meanwhile.
func (e *Engine) ready(p *process, see func(line string)) error {
	err := p.tell("isready")
	if err == nil {
		_, err = p.until(e.startPatience(), func(line string) bool { see(line); return line == "readyok" })
	}
	if err != nil {
		return fmt.Errorf("`isready`: %w%s", err, p.complaint())
	}
	return nil
}

// patience returns the time by which an answer must have come.
func (e *Engine) patience() time.Time { return time.Now().Add(e.cfg.Patience) }

// startPatience is patience for what an engine does before a game. It is longer, because many may be starting at once.
func (e *Engine) startPatience() time.Time { return time.Now().Add(5 * e.cfg.Patience) }

// variant returns the engine's name of a rule set.
func (e *Engine) variant(r *env.Rules) string {
	if name, ok := e.cfg.Variants[r.Name]; ok {
		return name
	}
	return r.Name
}

// setVariant tells a process which rules hold.
func (e *Engine) setVariant(p *process, r *env.Rules) error {
	return p.tell("setoption name UCI_Variant value " + e.variant(r))
}
