package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/internal/bench"
	"synochess/net/onnx/ort"
)

func newBench() *cobra.Command {
	var o bench.Options
	var out string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine: rules, search, network, training, data, self-play",
		Long: "Measures, in one to two minutes, how fast each part of the program is here, prints a table and writes a\n" +
			"file. With --ort and --torch, ONNX Runtime and PyTorch do the same work in turns with this program, and\n" +
			"the table gives the ratios. It also says whether the program does what it should (the behaviour number).\n" +
			"Leave the machine alone meanwhile.",
		Example: "  synochess bench\n" +
			"  synochess bench --only forward,training --ort libonnxruntime.so.1 --torch /usr/bin/python3",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.ORT != "" && !ort.Built {
				_, err := ort.Open(o.ORT, nil)
				return misused(fmt.Errorf("--ort: %w", err))
			}
			c, err := configs.Resolve("quick", nil)
			if err != nil {
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
			if err := report.Save(out); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "\n%.0f s; written to %s\n", report.Seconds, out)
			if !report.Behaviour.Same {
				return errors.New("bench: the behaviour number is not the expected one: this program plays otherwise than it was tested; " +
					"go test ./internal/behaviour tells where")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "bench.json", "file for the figures")
	cmd.Flags().StringSliceVar(&o.Only, "only", nil, "measure these alone: "+strings.Join(bench.Groups, ","))
	cmd.Flags().StringVar(&o.Torch, "torch", "", "a Python that has PyTorch, to be measured too")
	addORTFlag(cmd, &o.ORT)
	return cmd
}
