package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"synochess/net/onnx"
	"synochess/net/onnx/ort"
)

func newExport() *cobra.Command {
	var format, weights, out, library string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write a network as an ONNX model, checked before it is written",
		Long: "Writes the network for other runtimes. docs/onnx.md says what its inputs and outputs mean; the model's\n" +
			"metadata says it too. Before anything is written the model is run on positions of random games of the\n" +
			"rule sets it was trained on, and every output is compared with this program's: by an interpreter of\n" +
			"ONNX that is built in, and with --ort by ONNX Runtime. A model whose outputs differ is not written.",
		Example: "  synochess export --weights runs/quick --out quick.onnx",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case format != "onnx":
				return misused(fmt.Errorf("--format: %q is not known; the one format is onnx", format))
			case weights == "":
				return misused(errors.New("--weights is missing: a weights file or a run's folder"))
			case out == "":
				return misused(errors.New("--out is missing: the file to write"))
			case library != "" && !ort.Built:
				_, err := ort.Open(library, nil)
				return misused(fmt.Errorf("--ort: %w", err))
			}
			w, err := loadWeights(weights)
			if err != nil {
				return err
			}
			var others []func([]byte) (onnx.Runner, error)
			if library != "" {
				others = append(others, func(model []byte) (onnx.Runner, error) { return ort.Open(library, model) })
			}
			agreements, err := onnx.Export(out, w, programVersion(), others...)
			for _, a := range agreements {
				fmt.Fprintln(cmd.OutOrStdout(), a)
			}
			if err != nil {
				return err
			}
			info, err := os.Stat(out)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d bytes, evaluation id %s\n", out, info.Size(), w.EvalID())
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "onnx", "file format")
	cmd.Flags().StringVar(&weights, "weights", "", "weights file, or a run's folder")
	cmd.Flags().StringVar(&out, "out", "", "file to write")
	addORTFlag(cmd, &library)
	return cmd
}

// addORTFlag gives a command the flag that names ONNX Runtime's library.
func addORTFlag(cmd *cobra.Command, library *string) {
	cmd.Flags().StringVar(library, "ort", "", "ONNX Runtime's shared library, such as libonnxruntime.so.1 (needs a build with -tags ort)")
}
