package env

import "errors"

type derived struct{ start Position }

var errTodo = errors.New("env: not written yet")

func Builtin(name string) (*Rules, error) { return nil, errTodo }
func BuiltinNames() []string {
	return []string{"moddable", "moddable-strict", "moddable-fsf", "pychess"}
}
func ParseRules(text []byte, source string) (*Rules, error)    { return nil, errTodo }
func LoadRules(path string) (*Rules, error)                    { return nil, errTodo }
func ResolveRules(nameOrPath string) (*Rules, error)           { return nil, errTodo }
func (r *Rules) Canonical() string                             { return "" }
func (r *Rules) Hash() uint64                                  { return 0 }
func (r *Rules) GroupHash() uint64                             { return 0 }
func (r *Rules) With(changes map[string]any) (*Rules, error)   { return nil, errTodo }
func (r *Rules) ParseFEN(s string) (Position, error)           { return Position{}, errTodo }
func (r *Rules) FEN(p *Position) string                        { return "" }
func (r *Rules) ParseMove(p *Position, s string) (Move, error) { return NoMove, errTodo }
func (r *Rules) MoveString(m Move) string                      { return "" }
func (r *Rules) Legal(p *Position, dst []Move) []Move          { return dst }
func (r *Rules) CountLegal(p *Position) int                    { return 0 }
func (r *Rules) IsLegal(p *Position, m Move) bool              { return false }
func (r *Rules) InCheck(p *Position) bool                      { return false }
func (r *Rules) Apply(p *Position, m Move, next *Position)     { *next = *p }
func (r *Rules) Faceoff(p *Position) bool                      { return false }
func (r *Rules) Outcome(p *Position) Outcome                   { return Outcome{} }
func (r *Rules) OutcomeGiven(p *Position, numLegal int, inCheck bool) Outcome {
	return Outcome{}
}

type MoveCount struct {
	Move  Move
	Count uint64
}

func (r *Rules) Perft(p *Position, depth int) uint64       { return 0 }
func (r *Rules) Divide(p *Position, depth int) []MoveCount { return nil }

type History struct{}

func (h *History) Reset(p *Position, inCheck bool)                   {}
func (h *History) Push(p *Position, inCheck bool, irreversible bool) {}
func (h *History) Pop()                                              {}
func (h *History) Len() int                                          { return 0 }
func (h *History) CopyFrom(src *History)                             {}
func (h *History) Occurrences() int                                  { return 0 }
func (h *History) EarlierAt(nth int) int                             { return -1 }
func (h *History) RepetitionOutcome(r *Rules) Outcome                { return Outcome{} }
func (h *History) CheckedThroughout(from int, a Army) bool           { return false }

type Game struct{}

func NewGame(r *Rules, start Position) *Game { return &Game{} }
func (g *Game) Play(m Move) error            { return errTodo }
func (g *Game) Position() *Position          { return nil }
func (g *Game) Outcome() Outcome             { return Outcome{} }
func (g *Game) Rules() *Rules                { return nil }
func (g *Game) Ply() int                     { return 0 }
func (g *Game) Moves() []Move                { return nil }
func (g *Game) History() *History            { return nil }
func (g *Game) Repetitions() int             { return 0 }
func (g *Game) LegalMoves() []Move           { return nil }
func (g *Game) InCheck() bool                { return false }
