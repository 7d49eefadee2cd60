package selfplay

import (
	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// Stamp is what every record of a run has in common.
type Stamp struct {
	RunID      string // names the run
	Program    string // program version
	KernelPath string // arithmetic that evaluates, "portable", ...
}

// open begins the record of a task's game.
func (st *Stamp) open(t *Task, agents []Agent) *datasets.Game {
	return &datasets.Game{
		RunID: st.RunID, Program: st.Program, KernelPath: st.KernelPath,
		Purpose: t.Purpose, Number: t.Number, Generation: t.Generation, Seed: t.Seed,
		Rules: t.Rules.Canonical(), RulesHash: t.Rules.Hash(), GroupHash: t.Rules.GroupHash(),
		StartFEN: t.Rules.FEN(&t.Start), Start: t.Kind, ForkOf: t.ForkOf, ForkPly: t.ForkPly, Family: t.Family,
		Opening: t.Opening, Pair: t.Pair,
		Agents: [2]datasets.AgentInfo{
			env.Western: t.Thinking.sign(agents[t.Agents[env.Western]].Info(), t.Agents[env.Western]),
			env.Eastern: t.Thinking.sign(agents[t.Agents[env.Eastern]].Info(), t.Agents[env.Eastern]),
		},
	}
}

// describe turns what a search found into the record of a ply that plays its best move. An agent that
// does not search has no actions, so its ply is recorded as one without a search.
func describe(r *mcts.Result, kind datasets.SearchKind) datasets.Ply {
	ply := datasets.Ply{Move: r.Best, Chosen: datasets.Best, Chance: 1}
	if len(r.Actions) == 0 {
		return ply
	}
	ply.Search, ply.Visits = kind, uint32(r.Visits)
	ply.Before, ply.After, ply.Proven = r.RootBefore, r.RootAfter, datasets.Proven(r.Proven)
	ply.Actions = make([]datasets.Action, len(r.Actions))
	for i := range r.Actions {
		a := &r.Actions[i]
		ply.Actions[i] = datasets.Action{
			Move: a.Move, Visits: uint32(a.Visits), Logit: a.Logit, Policy: a.Policy, Q: a.Q,
		}
	}
	return ply
}
