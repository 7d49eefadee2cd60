package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/cpuid/v2"
	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/env"
	"synochess/selfplay"
	"synochess/selfplay/arena"
	"synochess/selfplay/uciengine"
	"synochess/train/loop"
)

// matchFlags is what is asked for on the command line.
type matchFlags struct {
	config, rules, out, openings string
	limits                       [3]string // of both agents, of the first alone, of the second alone
	sprt                         string
	sets                         []string
	workers                      int
	engines                      engineFlags
}

func newMatch() *cobra.Command {
	var f matchFlags
	cmd := &cobra.Command{
		Use:   "match FIRST SECOND",
		Short: "Let two agents play a match, every opening with each army",
		Long: "Plays FIRST against SECOND, every opening twice with the armies exchanged. Prints the scores of FIRST, and\n" +
			"as d by how much it is the stronger agent, in Elo, apart from what the armies themselves differ by.\n\n" +
			"An agent is\n" +
			"  a weights file or a run's folder (its newest weights)\n" +
			"  shipped      the network that comes with the program\n" +
			"  untrained    the network of the configuration before its first training step\n" +
			"  greedy       the same search with the values of the pieces instead of a network\n" +
			"  random       any legal move\n" +
			"  fairy        Fairy-Stockfish, which --engine says where to find; for moddable-fsf and pychess\n" +
			"  'uci:COMMAND ARGUMENTS...', an engine that speaks UCI; or uci:NAME out of the YAML file --engines\n" +
			"`:float32` or `:int16` after a network's name says in which precision it plays; otherwise the configuration\n" +
			"does. Weights that were never calibrated for int16 are calibrated on random games, in memory only.\n\n" +
			"An engine first proves that it plays by our rules: it must know the variant, and count the positions after\n" +
			"some moves as we do or, if it cannot count, play legal moves. In the match a crash, an illegal move, no\n" +
			"answer or too much time loses the game, and is counted.\n\n" +
			"A limit is what an agent may spend on a move: nodes=800 (for our own agents: simulations of the search),\n" +
			"depth=2 (engines only) or movetime=500ms; or on a game: clock=60s+0.6s. Without a limit our agents have\n" +
			"proof.visits simulations. By time, each core plays one game after another, the results depend on what else\n" +
			"the machine does, and " + selfplay.Grace.String() + " too much are allowed. Games end by the rules alone, however long they are.\n\n" +
			"With --out the games are kept, and the same command goes on with a match that was interrupted. --sprt\n" +
			"elo0,elo1[,alpha,beta] ends the match when its games have decided between a difference of elo0 and one of\n" +
			"elo1 (normalised Elo), taking either for the other with probability alpha and beta (0.05 each).\n" +
			"docs/matches.md and docs/strength.md tell more.",
		Example: "  synochess match runs/quick greedy\n" +
			"  synochess match runs/quick:int16 runs/quick:float32\n" +
			"  synochess match new.weights old.weights --set proof.openings=400 --limit nodes=128 --sprt 0,20 --out games\n" +
			"  synochess match runs/quick fairy --engine fsf-npm --rules pychess --second depth=2 --openings fair.epd\n" +
			"  synochess match greedy 'uci:./engine --quiet' --second movetime=100ms",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "quick", "preset or YAML file, of which search, proof and the first rule set are used")
	flags.StringVar(&f.rules, "rules", "", "rule set: a built-in name or a YAML file (default: the configuration's first)")
	flags.StringVar(&f.openings, "openings", "", "file of positions, one a line: FEN, EPD, or JSON with \"fen\"; or fair, the\nprogram's own book (default: random plies); proof.openings of them are played")
	flags.StringVar(&f.limits[0], "limit", "", "what either agent may spend on a move")
	flags.StringVar(&f.limits[1], "first", "", "the limit of FIRST alone")
	flags.StringVar(&f.limits[2], "second", "", "the limit of SECOND alone")
	flags.StringVar(&f.sprt, "sprt", "", "end when a sequential test has decided: elo0,elo1[,alpha,beta]")
	flags.StringVar(&f.out, "out", "", "folder for the games, as Parquet and as text (default: not kept)")
	addSetFlag(cmd, &f.sets, "proof.openings=400")
	addWorkersFlag(cmd, &f.workers)
	f.engines.add(cmd)
	return cmd
}

// run plays the match that is asked for.
func (f *matchFlags) run(cmd *cobra.Command, args []string) error {
	m, err := f.prepare(cmd, args)
	if err != nil {
		return err
	}
	tally, err := playMatch(cmd, f.out, m)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprint(out, tally)
	if m.Test != nil {
		fmt.Fprint(out, verdict(m.Test, tally))
	}
	if f.out != "" {
		_, err = fmt.Fprintf(out, "games: %s and games.txt beside it\n", filepath.Join(f.out, "games.parquet"))
	}
	return err
}

// prepare reads flags, opens agents and openings and puts the match together.
func (f *matchFlags) prepare(cmd *cobra.Command, args []string) (*arena.Match, error) {
	c, err := configs.Resolve(f.config, f.sets)
	if err != nil {
		return nil, misused(err)
	}
	r, err := f.ruleSet(&c.Run)
	if err != nil {
		return nil, misused(err)
	}
	limits, err := f.agentLimits(args, &c.Run)
	if err != nil {
		return nil, misused(err)
	}
	test, err := parseSPRT(f.sprt)
	if err != nil {
		return nil, misused(err)
	}
	m := &arena.Match{Rules: r, Test: test}
	m.Config, m.Limits, m.Workers, m.Name = c.Run.Proof, limits, f.workers, strings.Join(args, " against ")
	if err := f.seats(m, args); err != nil {
		return nil, misused(err)
	}
	if err := f.findOpenings(cmd, m); err != nil {
		return nil, err
	}
	var agents [2]*agent
	for i, name := range args {
		if isEngine(name) {
			agents[i], err = f.engines.open(cmd, name, r)
		} else {
			agents[i], err = openAgent(cmd, name, &c.Run, selfplay.OnlyRules(r))
		}
		if err != nil {
			return nil, err
		}
	}
	tellApart(agents[0], agents[1])
	return m, seal(m, &c.Run, agents[0], agents[1])
}

// seal fills in who plays, and on which machine.
func seal(m *arena.Match, c *loop.Config, first, second *agent) error {
	kernels, err := kernelPath(c, first, second)
	m.Agents = [2]selfplay.Agent{first.Agent, second.Agent}
	m.Kinds = [2]string{first.kind, second.kind}
	m.Stamp = selfplay.Stamp{Program: programVersion(), KernelPath: kernels}
	m.Machine = strings.TrimSpace(cpuid.CPU.BrandName + ", " + kernels)
	return err
}

// ruleSet returns the rules that are played.
func (f *matchFlags) ruleSet(c *loop.Config) (*env.Rules, error) {
	if f.rules == "" {
		source, err := selfplay.NewRuleSource(c.Rules)
		if err != nil {
			return nil, err
		}
		return source.Bases()[0], nil
	}
	r, err := env.ResolveRules(f.rules)
	if err != nil {
		return nil, fmt.Errorf("--rules: %w", err)
	}
	return r, nil
}

// agentLimits returns the limit of each agent.
func (f *matchFlags) agentLimits(names []string, c *loop.Config) (limits [2]selfplay.Limit, err error) {
	for i, name := range names {
		flag, text := "--"+[]string{"first", "second"}[i], f.limits[i+1]
		if text == "" {
			flag, text = "--limit", f.limits[0]
		}
		l := selfplay.Limit{Visits: c.Proof.Visits}
		if text != "" {
			if l, err = selfplay.ParseLimit(text); err != nil {
				return limits, fmt.Errorf("%s: %w", flag, err)
			}
		}
		if isEngine(name) && text == "" {
			return limits, fmt.Errorf("agent %q: an engine needs a limit of its own, such as --%s depth=2", name, []string{"first", "second"}[i])
		}
		if err := fits(name, l, c); err != nil {
			return limits, fmt.Errorf("agent %q, %s: %w", name, l, err)
		}
		limits[i] = l
	}
	return limits, nil
}

// fits says why an agent cannot play within a limit as the search is configured; an engine knows for itself.
func fits(name string, l selfplay.Limit, c *loop.Config) error {
	switch {
	case isEngine(name):
		return nil
	case l.Depth > 0:
		return errors.New("depth is for engines; our own agents count nodes=N or time")
	case name == "random":
		return nil
	case !l.Timed():
		return c.Search.CheckVisits(l.Visits)
	case c.Search.MaxNodes < roomForTime:
		return fmt.Errorf("search.max_nodes is %d, which a search by time fills before it ends; use --config play or --set search.max_nodes=400000",
			c.Search.MaxNodes)
	}
	return nil
}

// roomForTime is the smallest search.max_nodes with which agents may play by time.
const roomForTime = 50_000

// seats decides how many games a worker plays at once.
func (f *matchFlags) seats(m *arena.Match, names []string) error {
	if f.workers < 1 {
		return fmt.Errorf("--workers %d: want at least 1", f.workers)
	}
	if isEngine(names[0]) || isEngine(names[1]) {
		m.Config.Seats = min(m.Config.Seats, uciengine.Seats)
	}
	if m.Limits[0].Timed() || m.Limits[1].Timed() {
		if n := runtime.NumCPU(); f.workers > n {
			return fmt.Errorf("--workers %d: games by time need a core each, and there are %d", f.workers, n)
		}
		m.Config.Seats = 1
	}
	return nil
}

// fairBook as --openings is the program's own book.
const fairBook = "fair"

// findOpenings reads or samples the match's openings.
func (f *matchFlags) findOpenings(cmd *cobra.Command, m *arena.Match) (err error) {
	c := &m.Config
	if f.openings == "" {
		m.OpeningsAre = fmt.Sprintf("%d of %d random plies", c.Openings, c.Plies)
		m.Openings, err = selfplay.RandomOpenings(m.Rules, c.Openings, c.Plies, c.Seed)
		return err
	}
	name, text := f.openings, []byte(nil)
	if name == fairBook {
		name, text, err = arena.OpenBook(m.Rules.Name)
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return misused(fmt.Errorf("--openings: %w", err))
	}
	all, err := selfplay.ReadOpenings(m.Rules, name, strings.NewReader(string(text)))
	if err != nil {
		return misused(fmt.Errorf("--openings: %w", err))
	}
	if len(all) != c.Openings {
		newProgress(cmd).Say("%s has %d positions; proof.openings is %d", name, len(all), c.Openings)
	}
	m.Openings = all[:min(len(all), c.Openings)]
	m.OpeningsAre = fmt.Sprintf("the first %d of %s (%016x)", len(m.Openings), filepath.Base(name), xxhash.Sum64(text))
	return nil
}

// playMatch plays with a bar, and the warning that games by time deserve.
func playMatch(cmd *cobra.Command, dir string, m *arena.Match) (*selfplay.Tally, error) {
	p := newProgress(cmd)
	if m.Limits[0].Timed() || m.Limits[1].Timed() {
		p.Say("by time: %d games at once, one a core; leave the machine alone", m.Workers)
	}
	task := p.Start(m.Name, int64(2*len(m.Openings)), "games")
	defer task.End()
	return arena.Play(cmd.Context(), dir, m, func(done int) { task.Set(int64(done)) })
}
