// Command synochess learns Synochess by self-play and plays it. It is the only place where the rooms of
// the program are wired together; every subcommand has a file of its own.
//
// Exit codes: 0 done, 1 failed, 2 asked for in a way that cannot be done (flags, settings), 130
// interrupted by Ctrl-C.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program but for the process around it; it returns the exit code.
func run(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	// The first Ctrl-C ends the command in good order; giving the signal back lets a second one kill it.
	context.AfterFunc(ctx, release)

	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	started := false
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	err := root.ExecuteContext(ctx)
	var misuse usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(errOut, "synochess: interrupted")
		return 130
	case errors.As(err, &misuse) || !started:
		fmt.Fprintf(errOut, "synochess: %v\n", err)
		return 2
	}
	fmt.Fprintf(errOut, "synochess: %v\n", err)
	return 1
}

// usageError is an error in what was asked for: a flag's value, a setting, a name.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// misused marks an error as one in what was asked for; nil stays nil.
func misused(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "synochess",
		Short: "Learn and play Synochess, the chess of two different armies",
		Long: "Synochess sets the Western army (chess) against the Eastern army (xiangqi and janggi) on one\n" +
			"board. This program learns the game by playing against itself, and plays it.",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(
		newTrain(), newSelfplay(), newMatch(), newLadder(), newBook(), newRate(), newInspect(), newReport(),
		newAgreement(), newPerft(), newPlay(), newUCI(), newExport(), newBench(), newVersion(),
	)
	return root
}
