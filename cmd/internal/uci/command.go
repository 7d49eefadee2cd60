package uci

import (
	"context"
	"fmt"

	"synochess/mcts"
)

// help names the commands.
const help = "commands: uci isready ucinewgame setoption position go stop ponderhit d quit"

// do obeys one command. No search runs, except for isready.
func (e *Engine) do(ctx context.Context, line string) {
	word, rest := cutWord(line)
	var err error
	switch word {
	case "", "stop", "ponderhit", "debug", "register": // nothing to stop; or part of UCI, of no use here
	case "uci":
		e.identify()
	case "isready":
		if e.running == nil {
			err = e.prepare()
		}
		defer e.out.say("readyok")
	case "ucinewgame":
		e.forget()
		e.setPosition(e.rules, e.rules.StartPosition())
	case "setoption":
		err = e.setOption(rest)
	case "position":
		err = e.position(rest)
	case "go":
		e.begin(ctx, rest)
	case "d":
		err = e.display()
	case "help":
		e.out.say("info string " + help)
	case "quit":
		e.finished = true
	default:
		e.out.say(fmt.Sprintf("Unknown command: '%s'. Type help for more information.", line))
	}
	if err != nil {
		e.out.complain(err)
	}
}

// identify answers `uci`.
func (e *Engine) identify() {
	e.out.say("id name " + e.cfg.Name)
	e.out.say("id author the Synochess project")
	for _, o := range options {
		e.out.say("option name " + o.name + " type " + o.describe(e))
	}
	e.out.say("uciok")
}

// forget drops all that earlier searches found.
func (e *Engine) forget() {
	e.search, e.lastWorth = nil, -1
	if e.crew != nil {
		e.cache = mcts.NewCache(e.cfg.Search.CacheEntries)
	}
}

// prepare opens the evaluator if that has not happened. Weights that cannot be opened are named, and the
// material values stand in for them: who has said `go` waits for a move.
func (e *Engine) prepare() error {
	if e.crew != nil {
		return nil
	}
	err := e.open(e.weights, e.precision)
	if err != nil && e.weights != "" {
		e.out.complain(err)
		err = e.open("", e.precision)
	}
	return err
}

// open makes a network the evaluator of all searches from now on. After an error it is the one it was.
func (e *Engine) open(weights, precision string) error {
	hands, err := e.cfg.Open(weights, precision, e.rules, e.settings.threads)
	if err != nil {
		return err
	}
	if e.crew != nil {
		e.crew.Close()
	}
	e.weights, e.precision, e.crew = weights, precision, mcts.NewCrew(hands...)
	e.forget()
	if weights == "" {
		e.out.say("info string no weights: searching with a uniform prior and material values; " +
			"setoption name WeightsFile value PATH loads a network")
	} else {
		e.out.say(fmt.Sprintf("info string weights %s, evaluation id %s, kernels %s", weights, hands[0].ID(), hands[0].KernelPath()))
	}
	e.warn()
	return nil
}

// warn says so if the network is not fit for the variant.
func (e *Engine) warn() {
	if e.crew == nil || e.weights == "" || e.cfg.Warn == nil {
		return
	}
	if text := e.cfg.Warn(e.rules); text != "" {
		e.out.say("info string warning: the network " + text)
	}
}
