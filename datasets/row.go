package datasets

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"synochess/env"
)

// SchemaVersion is the version of Row and of the journal's records. A reader refuses newer ones.
const SchemaVersion = 2

// schemaOf returns the columns of a version: those of Row that are not younger. A file of an older version
// is read with the others empty.
func schemaOf(version int) *parquet.Schema {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Row]()) {
		if since, err := strconv.Atoi(f.Tag.Get("since")); err == nil && since <= version {
			f.Index, f.Offset = nil, 0
			fields = append(fields, f)
		}
	}
	return parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
}

// Row is a ply in a Parquet file: the one schema, for writer and reader. A game is a run of rows with
// the same game columns and ply = 0, 1, ...; a game that ended before its first ply is one row with
// plies = 0 and move = 0. Files are sorted by (game, ply). The tags doc, unit and since make the column
// dictionary of docs/formats.md.
type Row struct {
	GameColumns
	PlyColumns
}

// GameColumns are the columns of the game, repeated on each of its rows. The type is comparable.
type GameColumns struct {
	Game       uint64 `parquet:"game" since:"1" doc:"Number of the game, unique within run and purpose and growing with time."`
	Plies      uint32 `parquet:"plies,dict" since:"1" doc:"Number of plies of the game; 0 means that the row stands for no ply."`
	Run        string `parquet:"run,dict" since:"1" doc:"Name of the run."`
	Purpose    string `parquet:"purpose,dict" since:"1" doc:"training, match."`
	Generation uint32 `parquet:"generation,dict" since:"1" doc:"Generation that played the game."`
	Seed       uint64 `parquet:"seed,dict" since:"1" doc:"Seed of the game's own random stream."`
	KernelPath string `parquet:"kernel_path,dict" since:"1" doc:"Arithmetic that ran."`
	Program    string `parquet:"program,dict" since:"1" doc:"Program version that played the game."`

	Rules     string `parquet:"rules,dict" since:"1" doc:"Canonical text of the rule set."`
	RulesHash uint64 `parquet:"rules_hash,dict" since:"1" doc:"Hash of the rule set without its name."`
	GroupHash uint64 `parquet:"group_hash,dict" since:"1" doc:"Hash of the rule set without name and start; reports group by it."`

	StartFEN string `parquet:"start_fen,dict" since:"1" doc:"Position before the first ply."`
	Start    string `parquet:"start_kind,dict" since:"1" doc:"Where it comes from: start, book, fork, handicap."`
	ForkOf   uint64 `parquet:"fork_of,dict" since:"1" doc:"Parent game of a fork, else 0."`
	ForkPly  uint32 `parquet:"fork_ply,dict" unit:"plies" since:"1" doc:"Plies of the parent that led to start_fen, else 0."`
	Family   uint64 `parquet:"family,dict" since:"1" doc:"Game at the root of the chain of forks (itself if none); train and held-out are split by it."`
	Opening  string `parquet:"opening,dict" since:"1" doc:"Id of the opening, may be empty."`
	Pair     uint64 `parquet:"pair,dict" since:"1" doc:"Id shared by the games that play one opening with sides changed, else 0."`

	WesternKind     string `parquet:"western_kind,dict" since:"1" doc:"Who played the Western army: network in self-play; in a match the agent's name, such as greedy, a weights file's or an engine's."`
	WesternEvalID   string `parquet:"western_eval_id,dict" since:"1" doc:"Evaluation id of the Western agent."`
	WesternSettings string `parquet:"western_settings,dict" since:"1" doc:"Search settings of the Western agent: by what it searched (algorithm=gumbel, puct or gumbel+puct), how many searches were cut because the tree was full (full_trees=N, if any), and its configuration."`
	EasternKind     string `parquet:"eastern_kind,dict" since:"1" doc:"Who played the Eastern army."`
	EasternEvalID   string `parquet:"eastern_eval_id,dict" since:"1" doc:"Evaluation id of the Eastern agent."`
	EasternSettings string `parquet:"eastern_settings,dict" since:"1" doc:"Search settings of the Eastern agent: by what it searched (algorithm=gumbel, puct or gumbel+puct), how many searches were cut because the tree was full (full_trees=N, if any), and its configuration."`

	Result string `parquet:"result,dict" since:"1" doc:"1-0 (Western wins), 0-1, 1/2-1/2, or * where there is none (cut, void)."`
	Reason string `parquet:"reason,dict" since:"1" doc:"checkmate, faceoff, stalemate, repetition, perpetual, hundred-plies, campmate; empty unless ending is rules."`
	Ending string `parquet:"ending,dict" since:"1" doc:"rules, cut, adjudicated, forfeit, void. Cut and void games have no result and count in no score."`
	Note   string `parquet:"note,dict" since:"2" doc:"Of a forfeit: how the loser failed. Else empty."`
}

// PlyColumns are the columns of the ply. All values are the mover's.
type PlyColumns struct {
	Ply    uint32  `parquet:"ply" unit:"plies" since:"1" doc:"Plies played before this one."`
	Mover  string  `parquet:"mover,dict" since:"1" doc:"Army that moves: western, eastern."`
	Move   uint16  `parquet:"move,dict" unit:"move code" since:"1" doc:"The move played."`
	Chosen string  `parquet:"chosen,dict" since:"1" doc:"How it was chosen: best, sampled, forced."`
	Chance float32 `parquet:"chance,dict" since:"1" doc:"Probability with which it was chosen; 1 unless sampled."`
	Search string  `parquet:"search,dict" since:"1" doc:"none, cheap, full."`
	Visits uint32  `parquet:"visits,dict" unit:"visits" since:"1" doc:"Visits spent on the move."`

	SampleWeight float32 `parquet:"sample_weight,dict" since:"1" doc:"How often a replay window draws the position, relative to others; a multiple of 1/256, 0 is never."`
	PolicyWeight float32 `parquet:"policy_weight,dict" since:"1" doc:"Weight of the policy loss; 0: no policy target."`
	ValueWeight  float32 `parquet:"value_weight,dict" since:"1" doc:"Weight of the value loss; 0: no value target."`

	WinBefore  uint16 `parquet:"win_before" unit:"1/65535" since:"1" doc:"Mover wins, at the root before search. The three sum to 65535, or are 0 where not known."`
	DrawBefore uint16 `parquet:"draw_before" unit:"1/65535" since:"1" doc:"Draw, before search."`
	LossBefore uint16 `parquet:"loss_before" unit:"1/65535" since:"1" doc:"Mover loses, before search."`
	WinAfter   uint16 `parquet:"win_after" unit:"1/65535" since:"1" doc:"Mover wins, at the root after search. The three sum to 65535, or are 0 where not known."`
	DrawAfter  uint16 `parquet:"draw_after" unit:"1/65535" since:"1" doc:"Draw, after search."`
	LossAfter  uint16 `parquet:"loss_after" unit:"1/65535" since:"1" doc:"Mover loses, after search."`
	Proven     string `parquet:"proven,dict" since:"1" doc:"What the search proved of the root for the mover: no, win, loss, draw."`

	Actions []ActionColumns `parquet:"actions,list" since:"1" doc:"Every legal move after a full search; the visited ones and the one played after a cheap search; empty after none."`
}

// ActionColumns are the fields of one element of the list of actions.
type ActionColumns struct {
	Move   uint16 `parquet:"move,dict" unit:"move code" since:"1" doc:"The move."`
	Visits uint32 `parquet:"visits,dict" unit:"visits" since:"1" doc:"Visits it got."`
	Logit  int16  `parquet:"logit" unit:"1/512" since:"1" doc:"Prior logit as evaluated, unnormalised, saturating at the ends of the range."`
	Policy uint16 `parquet:"policy,dict" unit:"1/65535" since:"1" doc:"Improved policy; sums to 65535 over all legal moves."`
	Q      int16  `parquet:"q" unit:"1/32767" since:"1" doc:"Mean value for the mover, -1 to 1; completed where the move was not visited."`
}

// gameColumns returns the columns that all rows of a game share.
func gameColumns(g *Game) GameColumns {
	w, e := &g.Agents[env.Western], &g.Agents[env.Eastern]
	return GameColumns{
		Game: g.Number, Plies: uint32(len(g.Plies)), Run: g.RunID, Purpose: g.Purpose.String(),
		Generation: g.Generation, Seed: g.Seed, KernelPath: g.KernelPath, Program: g.Program,
		Rules: g.Rules, RulesHash: g.RulesHash, GroupHash: g.GroupHash,
		StartFEN: g.StartFEN, Start: g.Start.String(), ForkOf: g.ForkOf, ForkPly: g.ForkPly,
		Family: g.Family, Opening: g.Opening, Pair: g.Pair,
		WesternKind: w.Kind, WesternEvalID: w.EvalID, WesternSettings: w.Settings,
		EasternKind: e.Kind, EasternEvalID: e.EvalID, EasternSettings: e.Settings,
		Result: g.Result.String(), Reason: g.Reason.String(), Ending: g.Ending.String(), Note: g.Note,
	}
}

// game is the inverse of gameColumns; the plies are still missing.
func (c *GameColumns) game() (*Game, error) {
	g := &Game{
		RunID: c.Run, Number: c.Game, Generation: c.Generation, Seed: c.Seed,
		KernelPath: c.KernelPath, Program: c.Program,
		Rules: c.Rules, RulesHash: c.RulesHash, GroupHash: c.GroupHash,
		StartFEN: c.StartFEN, ForkOf: c.ForkOf, ForkPly: c.ForkPly,
		Family: c.Family, Opening: c.Opening, Pair: c.Pair,
		Agents: [2]AgentInfo{
			env.Western: {c.WesternKind, c.WesternEvalID, c.WesternSettings},
			env.Eastern: {c.EasternKind, c.EasternEvalID, c.EasternSettings},
		},
		Note: c.Note,
	}
	var errs [5]error
	g.Purpose, errs[0] = parse[Purpose](purposeNames, "purpose", c.Purpose)
	g.Start, errs[1] = parse[StartKind](startNames, "start_kind", c.Start)
	g.Result, errs[2] = parse[env.Result](resultNames, "result", c.Result)
	g.Reason, errs[3] = parse[env.Reason](reasonNames, "reason", c.Reason)
	g.Ending, errs[4] = parse[Ending](endingNames, "ending", c.Ending)
	return g, firstError(errs[:])
}

// plyColumns returns the columns of ply number n; actions is memory to use for the list.
func plyColumns(p *Ply, n int, mover env.Army, actions []ActionColumns) PlyColumns {
	for i := range p.Actions {
		a := &p.Actions[i]
		actions = append(actions, ActionColumns{
			Move: uint16(a.Move), Visits: a.Visits,
			Logit: logitCode(a.Logit), Policy: shareCode(a.Policy), Q: qCode(a.Q),
		})
	}
	return PlyColumns{
		Ply: uint32(n), Mover: spell(armyNames, mover), Move: uint16(p.Move),
		Chosen: p.Chosen.String(), Chance: p.Chance, Search: p.Search.String(), Visits: p.Visits,
		SampleWeight: p.SampleWeight, PolicyWeight: p.PolicyWeight, ValueWeight: p.ValueWeight,
		WinBefore: shareCode(p.Before[0]), DrawBefore: shareCode(p.Before[1]), LossBefore: shareCode(p.Before[2]),
		WinAfter: shareCode(p.After[0]), DrawAfter: shareCode(p.After[1]), LossAfter: shareCode(p.After[2]),
		Proven: p.Proven.String(), Actions: actions,
	}
}

// ply is the inverse of plyColumns. The mover is checked against the game, which it follows from.
func (c *PlyColumns) ply(mover env.Army) (Ply, error) {
	p := Ply{
		Move: env.Move(c.Move), Chance: c.Chance, Visits: c.Visits,
		SampleWeight: c.SampleWeight, PolicyWeight: c.PolicyWeight, ValueWeight: c.ValueWeight,
		Before: [3]float32{shareValue(c.WinBefore), shareValue(c.DrawBefore), shareValue(c.LossBefore)},
		After:  [3]float32{shareValue(c.WinAfter), shareValue(c.DrawAfter), shareValue(c.LossAfter)},
	}
	var errs [4]error
	p.Chosen, errs[0] = parse[Chosen](chosenNames, "chosen", c.Chosen)
	p.Search, errs[1] = parse[SearchKind](searchNames, "search", c.Search)
	p.Proven, errs[2] = parse[Proven](provenNames, "proven", c.Proven)
	if want := spell(armyNames, mover); c.Mover != want {
		errs[3] = fmt.Errorf("mover is %q, want %q as start_fen says", c.Mover, want)
	}
	if len(c.Actions) > 0 {
		p.Actions = make([]Action, len(c.Actions))
	}
	for i := range c.Actions {
		a := &c.Actions[i]
		if a.Q == math.MinInt16 {
			return p, fmt.Errorf("actions[%d].q is -32768, want -32767 to 32767", i)
		}
		p.Actions[i] = Action{
			Move: env.Move(a.Move), Visits: a.Visits,
			Logit: logitValue(a.Logit), Policy: shareValue(a.Policy), Q: qValue(a.Q),
		}
	}
	return p, firstError(errs[:])
}

// firstError returns the first error that is not nil.
func firstError(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
