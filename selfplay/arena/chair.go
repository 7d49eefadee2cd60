package arena

import (
	"context"
	"math/rand/v2"

	"synochess/env"
	"synochess/mcts"
	"synochess/selfplay"
)

// chair is a player of an agent that is asked for single moves, outside of a match.
type chair struct {
	table  selfplay.Table
	player selfplay.Player
	wake   chan struct{}
}

// sit opens an agent for one player.
func sit(a selfplay.Agent) (*chair, error) {
	t, err := a.Open()
	if err != nil {
		return nil, err
	}
	c := &chair{table: t, wake: make(chan struct{}, 1)}
	if remote, ok := t.(selfplay.RemoteTable); ok {
		remote.Notify(func() {
			select {
			case c.wake <- struct{}{}:
			default:
			}
		})
	}
	c.player = t.Seat()
	return c, nil
}

// think searches for a move within a limit; the result is valid until the next call.
func (c *chair) think(ctx context.Context, g *env.Game, l selfplay.Limit, rng *rand.Rand) (*mcts.Result, error) {
	ask := selfplay.Ask{Visits: l.Visits, Depth: l.Depth, Time: l.MoveTime, Rand: rng}
	if err := c.player.Start(g, ask); err != nil {
		return nil, err
	}
	remote, _ := c.player.(selfplay.RemotePlayer)
	for {
		done, err := c.player.Step()
		if done || err != nil {
			return c.player.Result(), err
		}
		if _, err := c.table.Answer(); err != nil {
			return nil, err
		}
		for remote != nil && remote.Waiting() {
			select {
			case <-c.wake:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// leave ends the processes that the agent has started.
func (c *chair) leave() {
	if remote, ok := c.table.(selfplay.RemoteTable); ok {
		remote.Close()
	}
}
