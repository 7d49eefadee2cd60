package loop

import (
	"context"
	"fmt"

	"synochess/datasets"
	"synochess/env"
	"synochess/internal/stats"
	"synochess/selfplay"
)

// Proof is proof.json: what the trained network scored at the end of a run.
type Proof struct {
	Rules    string       `json:"rules"`
	Openings int          `json:"openings"`
	Plies    int          `json:"opening_plies"`
	Visits   int          `json:"visits"`
	Matches  []ProofMatch `json:"matches"`
}

// ProofMatch is one match, from the first agent's side.
type ProofMatch struct {
	First     string          `json:"first"`
	Second    string          `json:"second"`
	Score     stats.Interval  `json:"score"`
	AsWestern stats.Interval  `json:"as_western"`
	AsEastern stats.Interval  `json:"as_eastern"`
	Tally     *selfplay.Tally `json:"tally"`
}

// prove plays the closing matches, each resumed from its journal, and saves proof.json.
func (r *run) prove(ctx context.Context) (*Proof, error) {
	rules := r.rules.Bases()[0]
	trained, err := r.network(r.cfg.Generations)
	if err != nil {
		return nil, err
	}
	trained.Kind = "trained"
	untrained, err := r.network(0)
	if err != nil {
		return nil, err
	}
	untrained.Kind = "untrained"
	proof := &Proof{Rules: rules.Name, Openings: len(r.openings), Plies: r.cfg.Proof.Plies, Visits: r.cfg.Proof.Visits}
	for i, pair := range [][2]selfplay.Agent{
		{trained, untrained},
		{trained, selfplay.Random()},
		{untrained, selfplay.Random()},
		{trained, GreedyAgent(r.cfg.Search)},
	} {
		m, err := r.match(ctx, i, pair)
		if err != nil {
			return nil, err
		}
		proof.Matches = append(proof.Matches, *m)
	}
	return proof, r.folder.writeJSON("proof.json", proof)
}

// match plays the proof's match i; its games are left in the journal and, for `inspect`, as Parquet.
func (r *run) match(ctx context.Context, i int, pair [2]selfplay.Agent) (*ProofMatch, error) {
	first, second := pair[0].Info().Kind, pair[1].Info().Kind
	name := first + "-" + second
	journal, _, err := datasets.OpenJournal(r.folder.path("proof", name+".journal"))
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	m := selfplay.Match{
		Config: r.cfg.Proof, Name: name, FirstNumber: uint64(i * 2 * len(r.openings)),
		Agents: pair, Openings: r.openings, Workers: r.machine.Workers, Stamp: r.stamp,
	}
	for g, err := range journal.Games() {
		if err != nil {
			return nil, err
		}
		m.Played = append(m.Played, g)
	}
	task := r.progress.Start(fmt.Sprintf("%s against %s", first, second), int64(2*len(r.openings)), "games")
	defer task.End()
	keep := func(g *datasets.Game) error { _, err := journal.Append(g); return err }
	tally, err := m.Run(ctx, keep, func(games int) { task.Set(int64(games)) })
	if err != nil {
		return nil, err
	}
	task.End()
	if _, err := datasets.Compact(journal, r.folder.path("proof", name+".parquet"), r.stamp.Program); err != nil {
		return nil, err
	}
	r.progress.Say("%s", tally)
	return &ProofMatch{
		First: first, Second: second, Tally: tally,
		Score: tally.Score(), AsWestern: tally.ScoreAs(env.Western), AsEastern: tally.ScoreAs(env.Eastern),
	}, nil
}
