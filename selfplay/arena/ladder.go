package arena

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"synochess/env"
	"synochess/internal/files"
	"synochess/internal/stats"
	"synochess/selfplay"
)

// Rung is one opponent of a ladder: what the engine may spend on a move, and what the agent.
type Rung struct {
	Name          string
	Engine, Agent selfplay.Limit
}

// Rungs is the ladder against Fairy-Stockfish, lowest first. Up to the engine's 1,000 nodes the agent has 800
// simulations a move, then a second. There is no rung below 250 nodes, because the engine does not honour such
// limits.
var Rungs = []Rung{
	{"depth-1", selfplay.Limit{Depth: 1}, selfplay.Limit{Visits: 800}},
	{"depth-2", selfplay.Limit{Depth: 2}, selfplay.Limit{Visits: 800}},
	{"nodes-250", selfplay.Limit{Visits: 250}, selfplay.Limit{Visits: 800}},
	{"nodes-1000", selfplay.Limit{Visits: 1000}, selfplay.Limit{Visits: 800}},
	{"nodes-4000", selfplay.Limit{Visits: 4000}, selfplay.Limit{MoveTime: time.Second}},
	{"nodes-16000", selfplay.Limit{Visits: 16000}, selfplay.Limit{MoveTime: time.Second}},
}

// Ladder is how far an agent has climbed, as it stands in ladder.json in the ladder's folder.
type Ladder struct {
	Agent    string  `json:"agent"`
	EvalID   string  `json:"eval_id"`
	Engine   string  `json:"engine"`
	Rules    string  `json:"rules"`
	Openings string  `json:"openings"`
	Machine  string  `json:"machine"` // processor and kernel path
	Steps    []*Step `json:"steps"`   // lowest first; the last was not reached, unless all were
}

// Step is the result of one rung.
type Step struct {
	Rung       string           `json:"rung"`
	Agent      string           `json:"agent_limit"`
	Engine     string           `json:"engine_limit"`
	Games      int              `json:"games"`
	Distinct   int              `json:"distinct"`
	Forfeits   int              `json:"forfeits"`
	AsWestern  stats.Interval   `json:"as_western"`
	AsEastern  stats.Interval   `json:"as_eastern"`
	Difference stats.Difference `json:"difference"` // of the agent over the engine
	Reached    bool             `json:"reached"`    // the lower end of the difference's 95% interval is above 0
}

// Climb plays the rungs from the lowest to the first that is not reached, each in a folder of its own below dir,
// and writes ladder.json after each. play plays the match of a rung in the given folder, or what is left of it;
// the agent is the match's first.
func Climb(dir string, play func(r Rung, dir string) (*Match, *selfplay.Tally, error)) (*Ladder, error) {
	l := &Ladder{}
	for _, rung := range Rungs {
		m, tally, err := play(rung, filepath.Join(dir, rung.Name))
		if err != nil {
			return nil, err
		}
		agent, engine := m.Agents[0].Info(), m.Agents[1].Info()
		l.Agent, l.EvalID, l.Engine = agent.Kind, agent.EvalID, engine.EvalID
		l.Rules, l.Openings, l.Machine = m.Rules.Name, m.OpeningsAre, m.Machine
		step := newStep(rung, tally)
		l.Steps = append(l.Steps, step)
		if err := l.save(filepath.Join(dir, "ladder.json")); err != nil {
			return nil, err
		}
		if !step.Reached {
			break
		}
	}
	return l, nil
}

func newStep(r Rung, t *selfplay.Tally) *Step {
	s := &Step{
		Rung: r.Name, Agent: r.Agent.String(), Engine: r.Engine.String(), Games: t.Games, Distinct: t.Distinct,
		AsWestern: t.ScoreAs(env.Western), AsEastern: t.ScoreAs(env.Eastern), Difference: stats.FitDifference(t.Pairs()),
	}
	for _, n := range t.Failures {
		s.Forfeits += n
	}
	s.Reached = s.Difference.Low > 0
	return s
}

func (l *Ladder) save(path string) error {
	return files.WriteAtomic(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(l)
	})
}

// String is the ladder as a table.
func (l *Ladder) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s in %s, %s\n", l.Agent, l.Engine, l.Rules, l.Openings)
	t := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "rung\tagent\tgames\tdistinct\tforfeits\tas Western\tas Eastern\td (95%), apart from the armies\t")
	for _, s := range l.Steps {
		verdict := "not reached"
		if s.Reached {
			verdict = "reached"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", s.Engine, s.Agent, s.Games, s.Distinct, s.Forfeits, s.AsWestern, s.AsEastern, s.Difference, verdict)
	}
	t.Flush() // to a Builder, which cannot fail
	return b.String()
}
