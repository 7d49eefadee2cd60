package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/datasets"
	"synochess/net/fast"
	"synochess/selfplay/netagent"
)

func newAgreement() *cobra.Command {
	var weights string
	cmd := &cobra.Command{
		Use:   "agreement PATH...",
		Short: "Say how far precision int16 is from float32 on stored games",
		Long: "A network can play in 16-bit integers (int16), which is faster and a little less exact than float32. This\n" +
			"evaluates 10,000 distinct positions of stored games in both, or all if there are fewer, and compares policy,\n" +
			"best move and value. It fails if they differ by more than they may.\n\n" +
			"A PATH is a Parquet file, a folder of them, or a run's folder. If it is one run's folder and no weights are\n" +
			"named, the run's newest weights are compared, on games that it never learned from and with its own\n" +
			"calibration if it plays in int16. Otherwise the network is calibrated anew, in memory, on the positions of\n" +
			"half the games, and compared on the other half.",
		Example: "  synochess agreement runs/quick\n  synochess agreement --weights a.weights games",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := gameFiles(args, datasets.RunFolder.Games)
			if err != nil {
				return misused(err)
			}
			heldOut := 0.0
			if weights == "" { // those of the run
				saved := datasets.RunFolder(args[0]).Config()
				if _, err := os.Stat(saved); err != nil || len(args) > 1 {
					return misused(errors.New("--weights is missing: a weights file or a run's folder"))
				}
				c, err := configs.Resolve(saved, nil)
				if err != nil {
					return err
				}
				weights, heldOut = args[0], c.Run.Train.HeldOut
			}
			w, err := loadWeights(weights)
			if err != nil {
				return err
			}
			path, err := chosenKernels()
			if err != nil {
				return err
			}
			newProgress(cmd).Say("reading %d files of games", len(files))
			a, err := netagent.CompareInt16(path, w, files, heldOut)
			if err != nil {
				return err
			}
			if err := writeAgreement(cmd.OutOrStdout(), a); err != nil {
				return err
			}
			if err := a.Check(); err != nil {
				return fmt.Errorf("int16 is too far from float32 for this network: %w; play it in float32 (--set precision=float32)", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&weights, "weights", "", "weights file, or a run's folder (default: PATH, if it is one run's folder)")
	return cmd
}

// writeAgreement writes the figures beside their limits.
func writeAgreement(w io.Writer, a *netagent.Int16Agreement) error {
	origin := "calibrated here, in memory, on %d positions of other games than those compared\n"
	if a.Own {
		origin = "calibrated by its run on %d positions; compared on games that the run never learned from\n"
	}
	fmt.Fprintf(w, origin, a.Calibration)
	fmt.Fprintf(w, "int16 against float32 on %d positions:\n", a.Positions)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintf(t, "\tmeasured\tlimit\n")
	fmt.Fprintf(t, "mean KL of the policy, nats\t%.6f\tat most %g\n", a.KL, fast.MaxKL)
	fmt.Fprintf(t, "same best move\t%.2f%%\tat least %g%%\n", 100*a.SameTop, 100*fast.MinSameTop)
	fmt.Fprintf(t, "mean difference of win - loss\t%.5f\tat most %g\n", a.Value, fast.MaxValue)
	return t.Flush()
}
