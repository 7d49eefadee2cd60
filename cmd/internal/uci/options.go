package uci

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"synochess/cmd/internal/level"
	"synochess/mcts"
)

// settings are the values of the options that are numbers and switches.
type settings struct {
	maxNodes int           // of a search's tree; Hash
	threads  int           // processors that one search uses
	multiPV  int           // lines shown
	wdl      bool          // whether lines show win, draw and loss
	overhead time.Duration // lost between the clock and us, each move
	level    int           // strength (package level)
}

// nodesPerMiB is how many nodes of a tree with their moves take a MiB (mcts.Config.MaxNodes).
const nodesPerMiB = 1 << 10

// The greatest values of options.
const (
	maxHash    = 100_000_000 / nodesPerMiB // what mcts.Config accepts
	maxThreads = 64
	maxMultiPV = 500

	defaultOverhead, maxOverhead = 20, 5000 // ms
)

func defaults(search mcts.Config) settings {
	return settings{maxNodes: search.MaxNodes, threads: 1, multiPV: 1, wdl: true, overhead: defaultOverhead * time.Millisecond, level: level.Full}
}

// option is one option of `setoption`.
type option struct {
	name string
	// describe returns its type and default, as `uci` shows them.
	describe func(e *Engine) string
	// set obeys a value; what is wrong with it changes nothing.
	set func(e *Engine, value string) error
}

// empty is how UCI writes a text that is empty.
const empty = "<empty>"

var options = []option{
	{"Hash", func(e *Engine) string { return spin(max(1, e.cfg.Search.MaxNodes/nodesPerMiB), 1, maxHash) }, func(e *Engine, value string) error {
		mib, err := number(value, 1, maxHash)
		if err == nil {
			e.settings.maxNodes, e.search = mib*nodesPerMiB, nil
		}
		return err
	}},
	{"Threads", func(*Engine) string { return spin(1, 1, maxThreads) }, func(e *Engine, value string) error {
		n, err := number(value, 1, maxThreads)
		if err != nil || n == e.settings.threads {
			return err
		}
		e.settings.threads = n
		if e.crew == nil {
			return nil
		}
		return e.open(e.weights, e.precision)
	}},
	{"Clear Hash", func(*Engine) string { return "button" }, func(e *Engine, _ string) error {
		e.forget()
		return nil
	}},
	{"MultiPV", func(*Engine) string { return spin(1, 1, maxMultiPV) }, func(e *Engine, value string) error {
		n, err := number(value, 1, maxMultiPV)
		if err == nil {
			e.settings.multiPV = n
		}
		return err
	}},
	// It tells GUIs that `go ponder` may be said; nothing is done on our side.
	{"Ponder", func(*Engine) string { return "check default false" }, func(_ *Engine, value string) error {
		_, err := check(value)
		return err
	}},
	{"UCI_ShowWDL", func(*Engine) string { return "check default true" }, func(e *Engine, value string) error {
		on, err := check(value)
		if err == nil {
			e.settings.wdl = on
		}
		return err
	}},
	{"Move Overhead", func(*Engine) string { return spin(defaultOverhead, 0, maxOverhead) }, func(e *Engine, value string) error {
		ms, err := number(value, 0, maxOverhead)
		if err == nil {
			e.settings.overhead = time.Duration(ms) * time.Millisecond
		}
		return err
	}},
	{"Skill Level", func(*Engine) string { return spin(level.Full, 1, level.Full) }, func(e *Engine, value string) error {
		n, err := number(value, 1, level.Full)
		if err == nil {
			e.settings.level, e.search = n, nil
		}
		return err
	}},
	{"UCI_Variant", describeVariants, (*Engine).setVariant},
	{"RulesFile", func(*Engine) string { return "string default " + empty }, (*Engine).setRulesFile},
	{"WeightsFile", func(e *Engine) string { return "string default " + orEmpty(e.cfg.Weights) }, func(e *Engine, value string) error {
		return e.open(value, e.precision)
	}},
	{"Precision", func(e *Engine) string {
		return "combo default " + e.cfg.Precision + " var " + strings.Join(e.cfg.Precisions, " var ")
	}, (*Engine).setPrecision},
}

func spin(value, least, most int) string {
	return fmt.Sprintf("spin default %d min %d max %d", value, least, most)
}

func orEmpty(s string) string {
	if s == "" {
		return empty
	}
	return s
}

// number reads a value that is a whole number.
func number(value string, least, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%q: want a whole number from %d to %d", value, least, most)
	}
	return n, nil
}

// check reads a value that is a switch.
func check(value string) (bool, error) {
	if value != "true" && value != "false" {
		return false, fmt.Errorf("%q: want true or false", value)
	}
	return value == "true", nil
}

// setOption obeys `setoption name NAME value VALUE`; both may have spaces, and the value may be missing.
func (e *Engine) setOption(rest string) error {
	word, rest := cutWord(rest)
	var name []string
	value := ""
	for word == "name" && rest != "" {
		var next string
		if next, rest = cutWord(rest); next == "value" && len(name) > 0 {
			value = rest
			break
		}
		name = append(name, next)
	}
	if len(name) == 0 {
		return fmt.Errorf("setoption: want `setoption name NAME value VALUE`")
	}
	if value == empty {
		value = ""
	}
	for _, o := range options {
		if strings.EqualFold(o.name, strings.Join(name, " ")) {
			if err := o.set(e, value); err != nil {
				return fmt.Errorf("option %s: %w", o.name, err)
			}
			return nil
		}
	}
	e.out.say("No such option: " + strings.Join(name, " "))
	return nil
}
