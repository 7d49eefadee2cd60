package loop

import (
	"time"

	"synochess/datasets"
	"synochess/env"
)

// note counts the games of a generation that was played and trained, and writes its line. Evaluations and seconds are those of
// this process: after an interruption they are less than the whole.
func (r *run) note(generation, evaluations, steps int, play, training time.Duration) error {
	line := GenerationLine{
		Kind: ofGeneration, Generation: generation, KernelPath: r.stamp.KernelPath, Evaluations: evaluations, Steps: steps,
		Reasons: map[string]int{}, PlaySeconds: play.Seconds(), TrainSeconds: training.Seconds(),
	}
	score, results := 0.0, 0
	games, err := r.past.of(generation)
	if err != nil {
		return err
	}
	line.Games = len(games)
	for _, g := range games {
		line.Plies += len(g.Plies)
		for i := range g.Plies {
			line.Visits += int(g.Plies[i].Visits)
			if g.Plies[i].Search == datasets.FullSearch {
				line.Positions++
			}
		}
		western, ok := g.ScoreFor(env.Western)
		if !ok {
			line.Cuts++
			continue
		}
		results++
		score += western
		if g.Result == env.Draw {
			line.Draws++
		}
		line.Reasons[g.Result.String()+" "+g.Reason.String()]++
	}
	if results > 0 {
		line.WesternScore = score / float64(results)
	}
	r.progress.Say("generation %d: %d games, %d positions, %.0f plies a game, West scores %.0f%%, %d drawn, %d cut; %.0f s played, %.0f s trained",
		generation, line.Games, line.Positions, float64(line.Plies)/float64(max(1, line.Games)), 100*line.WesternScore,
		line.Draws, line.Cuts, line.PlaySeconds, line.TrainSeconds)
	r.done = append(r.done, line)
	return r.metrics.write(line)
}
