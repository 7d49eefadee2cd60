package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"synochess/datasets"
)

func newInspect() *cobra.Command {
	var verify bool
	cmd := &cobra.Command{
		Use:   "inspect PATH...",
		Short: "Say what stored games are like, and whether they obey the rules",
		Long: "Prints counts, results by army and reason, lengths, duplicates and how varied the openings are (their\n" +
			"entropy), for each purpose (self-play, match) and rule set. Rule sets that differ in their start alone\n" +
			"stand together, each with its score. A PATH is a Parquet file, a folder of them, or a run's folder, whose\n" +
			"games and closing matches are read. A file that cannot be read is named and left out.",
		Example: "  synochess inspect runs/quick\n  synochess inspect --verify runs/quick/games/gen-000001.parquet",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := gameFiles(args, datasets.RunFolder.Games, datasets.RunFolder.Proof)
			if err != nil {
				return misused(err)
			}
			report := datasets.Inspect(files)
			if err := report.WriteText(cmd.OutOrStdout()); err != nil {
				return err
			}
			if verify {
				checked, faults := datasets.Verify(files)
				for _, f := range faults {
					fmt.Fprintln(cmd.ErrOrStderr(), f)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "verified: %d games replayed, %d faults\n", checked, len(faults))
				if len(faults) > 0 {
					return fmt.Errorf("%d faults in stored games", len(faults))
				}
			}
			if n := len(report.Problems); n > 0 {
				return fmt.Errorf("%d of %d files could not be read", n, len(files))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&verify, "verify", false, "replay every move through the rules")
	return cmd
}

// gameFiles lists the Parquet files that paths name: files themselves, those in a folder, or those in the
// given places of a run's folder; sorted and each once.
func gameFiles(paths []string, places ...func(datasets.RunFolder) string) ([]string, error) {
	var all []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: there is no such file or folder", path)
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			all = append(all, path)
			continue
		}
		dirs, names, found := []string{path}, []string(nil), 0
		for _, place := range places {
			dirs = append(dirs, place(datasets.RunFolder(path)))
			names = append(names, filepath.Base(dirs[len(dirs)-1]))
		}
		for _, dir := range dirs {
			entries, err := os.ReadDir(dir)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			for _, e := range entries {
				if filepath.Ext(e.Name()) == ".parquet" {
					all = append(all, filepath.Join(dir, e.Name()))
					found++
				}
			}
		}
		if found == 0 {
			return nil, fmt.Errorf("%s: no Parquet files in it nor in its folders %s", path, strings.Join(names, " and "))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
