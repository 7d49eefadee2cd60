package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"synochess/datasets"
	"synochess/selfplay"
)

// Proof is proof.json: what the trained network scored at the end of a run, in each of its rule sets.
type Proof struct {
	Generation int           `json:"generation"` // of the trained network; 0 in files of versions that did not say
	Matches    []MatchResult `json:"matches"`
}

// prove plays the closing matches and saves proof.json.
func (r *run) prove(ctx context.Context) (*Proof, error) {
	trained, err := r.network(r.cfg.Generations)
	if err != nil {
		return nil, err
	}
	trained.Kind = "trained"
	start, err := r.network(0)
	if err != nil {
		return nil, err
	}
	start.Kind = "untrained"
	if r.id.From != "" {
		start.Kind = "start" // what another run had learned
	}
	player := map[string]string{trained.Kind: playerOf(r.cfg.Generations), start.Kind: playerOf(0), "random": "random", "greedy": "greedy"}
	pairs := [][2]selfplay.Agent{
		{trained, start},
		{trained, selfplay.Random()},
		{start, selfplay.Random()},
		{trained, selfplay.Greedy(r.cfg.Search)},
	}
	proof := &Proof{Generation: r.cfg.Generations}
	kept := []string{filepath.Base(r.folder.EarlierProof())}
	for i, openings := range r.openings {
		for j, pair := range pairs {
			first, second := pair[0].Info().Kind, pair[1].Info().Kind
			m, err := r.playContest(ctx, &contest{
				dir: r.folder.Proof(), title: fmt.Sprintf("%s, %s against %s", openings[0].Rules.Name, first, second), generation: r.cfg.Generations,
				name: first + "-" + second, number: uint64((i*len(pairs) + j) * 2 * len(openings)),
				config: r.cfg.Proof, openings: openings, pair: pair, players: [2]string{player[first], player[second]},
			})
			if err != nil {
				return nil, err
			}
			r.progress.Say("%s: %s", m.Rules, m.Tally)
			proof.Matches = append(proof.Matches, *m)
			stem := first + "-" + second + "-" + m.ID
			kept = append(kept, stem, stem+".parquet")
		}
	}
	if err := r.setOthersAside(kept); err != nil {
		return nil, err
	}
	return proof, writeJSON(r.folder.ProofResults(), proof)
}

// setOthersAside moves all but the kept files from proof to proof/earlier: the games of other networks or settings.
func (r *run) setOthersAside(kept []string) error {
	entries, err := os.ReadDir(r.folder.Proof())
	if err != nil {
		return fmt.Errorf("run folder: %w", err)
	}
	for _, e := range entries {
		if slices.Contains(kept, e.Name()) {
			continue
		}
		from, to := filepath.Join(r.folder.Proof(), e.Name()), filepath.Join(r.folder.EarlierProof(), e.Name())
		// What was set aside before under the same name is the same match.
		err := errors.Join(os.MkdirAll(r.folder.EarlierProof(), 0o755), os.RemoveAll(to))
		if err == nil {
			err = os.Rename(from, to)
		}
		if err != nil {
			return fmt.Errorf("run folder: %w", err)
		}
	}
	return nil
}

// ReadProof returns the closing matches of a run, nil if there are none.
func ReadProof(f datasets.RunFolder) (*Proof, error) {
	var p struct {
		Proof
		// Once for all matches, in files of earlier versions.
		Rules    string `json:"rules"`
		Openings int    `json:"openings"`
		Plies    int    `json:"opening_plies"`
		Visits   int    `json:"visits"`
	}
	path := f.ProofResults()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove it, and `synochess train` makes it again", path, err)
	}
	for i := range p.Matches {
		if m := &p.Matches[i]; m.Rules == "" {
			m.Rules, m.Openings, m.Plies, m.Visits = p.Rules, p.Openings, p.Plies, p.Visits
		}
		if p.Matches[i].Tally == nil {
			return nil, fmt.Errorf("%s: match %d has no tally; remove the file, and `synochess train` makes it again", path, i)
		}
	}
	return &p.Proof, nil
}
