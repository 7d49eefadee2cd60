package mcts

import "synochess/env"

// answer is the first reply to a check, and what the attacker can do then.
type answer struct {
	given, after env.Position // after the check, and after the reply
	check        bool         // the reply gives check
	checks       []env.Move   // the attacker's next checks; none of them wins at once
	legal        int          // all his moves; 0 if the reply ends the game
}

// refuted reports whether hunt would surely find nothing. That is so for nearly every node, and takes far less
// than to hunt. It goes the hunt's way, but leaves the rest to the hunt at the first win that it sees: so it needs but
// the first reply to a check, and what one round has listed serves the next. It takes moves off h.left no earlier
// than the hunt does, and so has looked at all that the hunt would look at. The history ends with the node.
func (s *Search) refuted(id int32) bool {
	h := &s.mates
	h.left = s.cfg.MateNodes
	if s.cfg.MateMoves == 1 {
		return true
	}
	for len(h.answers) < len(h.checks) {
		h.answers = append(h.answers, answer{})
	}
	answers := h.answers[:len(h.checks)]
	for n := range answers {
		if h.left <= 0 {
			return true
		}
		a := &answers[n]
		s.rules.Apply(&s.nodes[id].pos, s.edges[h.checks[n]].move, &a.given)
		if s.fails(a, 1, 0) {
			return false
		}
	}
	for replies := 2; replies < s.cfg.MateMoves; replies++ {
		for n := range answers {
			if h.left <= 0 {
				return true
			}
			a := &answers[n]
			s.history.Push(&a.given, true, a.given.PlyCount() == 0)
			wins := s.goesOn(a, replies, 0)
			s.history.Pop()
			if wins {
				return false
			}
		}
	}
	return true
}

// fails answers the check that led to a.given and reports whether the attacker wins after the answer with so
// many moves, each of them a check. The history ends before a.given.
func (s *Search) fails(a *answer, checks, level int) (wins bool) {
	s.history.Push(&a.given, true, a.given.PlyCount() == 0)
	wins = s.reply(a, level)
	switch {
	case wins:
	case checks == 1:
		s.mates.left -= 1 + a.legal
	default:
		wins = s.goesOn(a, checks, level)
	}
	s.history.Pop()
	return wins
}

// reply fills in the answer to a.given, with which the history ends, and reports whether the attacker then wins
// at once.
func (s *Search) reply(a *answer, level int) (wins bool) {
	h := &s.mates
	attacker := a.given.SideToMove().Other()
	a.checks, a.legal = a.checks[:0], 0
	s.rules.Apply(&a.given, h.legal(s.rules, &a.given, level)[0], &a.after)
	outcome, check := s.judge(&a.after)
	if outcome.Over() {
		return outcome.Result == env.WinFor(attacker)
	}
	a.check = check
	s.history.Push(&a.after, check, a.after.PlyCount() == 0)
	defer s.history.Pop()
	s.sharpen(&a.after, &s.sharp)
	h.moves[level], a.legal = s.rules.AppendSharp(&a.after, &s.sharp, h.moves[level][:0])
	for _, m := range h.moves[level] {
		s.rules.Apply(&a.after, m, &s.next)
		outcome, check := s.judge(&s.next)
		switch {
		case outcome.Result == env.WinFor(attacker):
			return true
		case check && !outcome.Over():
			a.checks = append(a.checks, m)
		}
	}
	return false
}

// goesOn reports whether the attacker wins after an answer that has been filled in, with so many moves, each of
// them a check, but more than one. The history ends with a.given.
func (s *Search) goesOn(a *answer, checks, level int) (wins bool) {
	h := &s.mates
	if len(a.checks) > 0 {
		s.history.Push(&a.after, a.check, a.after.PlyCount() == 0)
		deeper := &h.deeper[level]
		for _, m := range a.checks {
			s.rules.Apply(&a.after, m, &deeper.given)
			if wins = s.fails(deeper, checks-1, level+1); wins || h.left < 0 {
				break
			}
		}
		s.history.Pop()
	}
	h.left -= 1 + a.legal
	return wins
}
