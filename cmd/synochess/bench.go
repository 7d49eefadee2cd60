package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"synochess/cmd/internal/bench"
	"synochess/configs"
	"synochess/net/onnx/ort"
)

func newBench() *cobra.Command {
	var o bench.Options
	var out string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine: rules, search, network, training, data, self-play",
		Long: "Measures, in one to two minutes, how fast each part of the program is here, prints a table and writes it to\n" +
			"a file. Leave the machine alone meanwhile. First it makes some fixed searches and says whether they come\n" +
			"out as they should (the behaviour number).\n\n" +
			"With --ort, --torch and --fairy, ONNX Runtime, PyTorch and Fairy-Stockfish do the same work in turns with\n" +
			"this program, and the table gives the ratios. Every round is written to a second file, with the ending\n" +
			".txt, for benchstat (golang.org/x/perf/cmd/benchstat), which adds intervals.",
		Example: "  synochess bench\n" +
			"  synochess bench --only forward,training --ort libonnxruntime.so.1 --torch /usr/bin/python3\n" +
			"  benchstat -filter .name:Forward -col /by bench.txt",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if filepath.Ext(out) == ".txt" {
				return misused(fmt.Errorf("--out %s: the ending .txt is for the rounds, which are written beside it; use .json", out))
			}
			if o.ORT != "" && !ort.Built {
				_, err := ort.Open(o.ORT, nil)
				return misused(fmt.Errorf("--ort: %w", err))
			}
			c, err := configs.Resolve("quick", nil)
			if err != nil {
				return err
			}
			if o.Kernels, err = chosenKernels(); err != nil {
				return err
			}
			o.Config, o.Program, o.Say = &c.Run, programVersion(), newProgress(cmd).Say
			report, err := bench.Run(cmd.Context(), o)
			if err != nil {
				return err
			}
			if err := report.Table(cmd.OutOrStdout()); err != nil {
				return err
			}
			rounds := strings.TrimSuffix(out, filepath.Ext(out)) + ".txt"
			if err := errors.Join(report.Save(out), report.SaveBenchmarks(rounds)); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "\n%.0f s; written to %s, the rounds for benchstat to %s\n", report.Seconds, out, rounds)
			if !report.Behaviour.Same {
				return errors.New("bench: the behaviour number is not the expected one: this program plays otherwise than it was tested; " +
					"go test ./cmd/internal/behaviour tells where")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "bench.json", "file for the figures")
	cmd.Flags().StringSliceVar(&o.Only, "only", nil, "measure these alone: "+strings.Join(bench.Groups, ","))
	cmd.Flags().StringVar(&o.Torch, "torch", "", "a Python that has PyTorch, to be measured too")
	cmd.Flags().StringVar(&o.Fairy, "fairy", "", "a folder into which npm installed fairy-stockfish-nnue.wasm, to be measured too (needs node)")
	addORTFlag(cmd, &o.ORT)
	return cmd
}
