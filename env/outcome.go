package env

// InCheck reports whether the royal of the side to move is attacked. A faceoff is no attack.
func (r *Rules) InCheck(p *Position) bool { return r.attackedRoyal(p, p.side) }

// attackedRoyal reports whether army a's royal is attacked.
func (r *Rules) attackedRoyal(p *Position, a Army) bool {
	if a == Western {
		return r.kingAttackers(p, p.king, p.Occupied()) != 0
	}
	return r.chancellorAttackers(p, p.chancellor, p.Occupied()) != 0
}

// Faceoff reports whether the royals face each other on a line of the rule set; never where the rule
// set has no faceoff.
func (r *Rules) Faceoff(p *Position) bool { return r.kingFaces(p, p.king, p.western|p.eastern) }

// campmate reports whether army a's royal has reached the rank on which it wins.
func (r *Rules) campmate(p *Position, a Army) bool {
	if a == Western {
		return r.campmateSquares[Western]>>(p.king&63)&1 != 0
	}
	return r.campmateSquares[Eastern]>>(p.chancellor&63)&1 != 0
}

// ended reports whether the last move ended the game by itself, whatever could be played now.
func (r *Rules) ended(p *Position) bool { return r.Faceoff(p) || r.campmate(p, p.side.Other()) }

// Outcome judges the position by itself, without its history: faceoff, campmate, checkmate or
// stalemate, no progress, in this order of precedence.
func (r *Rules) Outcome(p *Position) Outcome {
	return r.OutcomeGiven(p, r.CountLegal(p), r.InCheck(p))
}

// OutcomeGiven does the same for a caller that knows the number of legal moves and whether the side to
// move is in check.
func (r *Rules) OutcomeGiven(p *Position, numLegal int, inCheck bool) Outcome {
	mover, waiting := p.side, p.side.Other()
	switch {
	case r.Faceoff(p):
		return Outcome{WinFor(mover), FaceoffLoss}
	case r.campmate(p, waiting):
		return Outcome{WinFor(waiting), Campmate}
	case numLegal == 0 && inCheck:
		return Outcome{WinFor(waiting), Checkmate}
	case numLegal == 0 && r.Stalemate == VerdictLoss:
		return Outcome{WinFor(waiting), Stalemate}
	case numLegal == 0:
		return Outcome{Draw, Stalemate}
	case int(p.plyCount) >= r.NoProgressPlies:
		return Outcome{Draw, NoProgress}
	}
	return Outcome{}
}
