package selfplay

import (
	"synochess/datasets"
	"synochess/env"
	"synochess/mcts"
)

// Random returns the agent that plays every legal move with equal probability, faceoff losses included.
func Random() Agent { return randomAgent{} }

type randomAgent struct{}

func (randomAgent) Info() datasets.AgentInfo { return datasets.AgentInfo{Kind: "random"} }
func (randomAgent) Open() (Table, error)     { return randomTable{}, nil }

type randomTable struct{}

func (randomTable) Seat() Player         { return &randomPlayer{} }
func (randomTable) Answer() (int, error) { return 0, nil }

type randomPlayer struct{ result mcts.Result }

func (p *randomPlayer) Start(g *env.Game, ask Ask) error {
	moves := g.LegalMoves()
	p.result = mcts.Result{Best: moves[ask.Rand.IntN(len(moves))]}
	return nil
}

func (p *randomPlayer) Step() (bool, error)  { return true, nil }
func (p *randomPlayer) Result() *mcts.Result { return &p.result }
