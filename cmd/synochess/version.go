package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"synochess/train/loop"
)

// version is that of this source. `go run` and tests record no revision, and then it alone tells programs apart.
const version = "0.8.0-dev"

// programVersion is version, and the revision this binary was built from where the Go tool recorded it.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	return version + revision(info.Settings)
}

// revision is "+" and the first digits of the revision, with ".changes" if files differed from it, or "".
func revision(settings []debug.BuildSetting) string {
	hash, changes := "", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			hash = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changes = ".changes"
		}
	}
	if hash == "" {
		return ""
	}
	return "+" + hash + changes
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and of the network in it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "synochess %s, %s, %s/%s\n",
				programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			if err != nil {
				return err
			}
			w, err := loop.LoadWeights(loop.Shipped)
			if err != nil {
				return err
			}
			training, err := loop.RecordOf(w)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "network: %d blocks of %d filters, generation %d of run %s, %d games, evaluation id %s\n",
				w.Arch.Blocks, w.Arch.Width, training.Generation, training.RunID, training.Games, w.EvalID())
			return err
		},
	}
}
