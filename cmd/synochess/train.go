package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"synochess/configs"
	"synochess/datasets"
	"synochess/env/encode"
	"synochess/internal/progress"
	"synochess/selfplay"
	"synochess/train/loop"
)

func newTrain() *cobra.Command {
	var config, dir, gamesFrom string
	var sets []string
	var printConfig, plan bool
	var until int
	var machine loop.Machine
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Learn by self-play: games, training, the next network, and a proof at the end",
		Long: "Plays games against itself, trains a network on them, and repeats this generation after generation. At\n" +
			"the end it plays matches that show what was learned. Everything is kept in the run's folder.\n\n" +
			"Interrupted or killed at any moment, a run goes on from there when the same command is given again;\n" +
			"--run DIR alone takes the configuration from that folder. A run, finished or not, also goes on with more\n" +
			"generations (--set generations=N): from there on the learning rate follows the schedule of N generations.\n" +
			"Of its other settings only those of its matches (anchor, proof) may change. --until N stops after\n" +
			"generation N and leaves the rest to a later call; the schedule stays that of the whole run.\n\n" +
			"A new run may begin with the network of another, grown to its own size (the setting start; the optimiser\n" +
			"begins anew), and with that run's newest games in its replay window (--games-from). docs/configuration.md\n" +
			"lists all settings, docs/runs.md tells what a run's folder holds.",
		Example: "  synochess train --config quick\n" +
			"  synochess train --config mine.yaml --set train.batch=128 --run runs/mine\n" +
			"  synochess train --run runs/mine\n" +
			"  synochess train --run runs/mine --set generations=80\n" +
			"  synochess train --config mine.yaml --run runs/next --set start=runs/mine --games-from runs/mine",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case dir == "":
				dir = filepath.Join("runs", strings.TrimSuffix(filepath.Base(config), filepath.Ext(config)))
			case !cmd.Flags().Changed("config"):
				saved := datasets.RunFolder(dir).Config()
				if _, err := os.Stat(saved); err == nil {
					config = saved
				}
			}
			c, err := configs.Resolve(config, sets)
			if err != nil {
				return misused(err)
			}
			if printConfig {
				text, err := c.YAML()
				if err != nil {
					return err
				}
				_, err = cmd.OutOrStdout().Write(text)
				return err
			}
			if err := checkMachine(machine); err != nil {
				return err
			}
			if machine.Kernels, err = chosenKernels(); err != nil {
				return err
			}
			if err := c.Run.CheckSelfPlay(); err != nil {
				return misused(err)
			}
			o := loop.Options{Dir: dir, Program: programVersion(), Machine: machine, GamesFrom: gamesFrom, Until: until}
			if until < 0 {
				return misused(fmt.Errorf("--until %d: want a generation, from 1 on", until))
			}
			return train(cmd, c, plan, o)
		},
	}
	cmd.Flags().StringVar(&config, "config", "quick", "preset ("+strings.Join(configs.PresetNames(), ", ")+") or YAML file")
	cmd.Flags().StringVar(&dir, "run", "", "the run's folder (default: runs/NAME, after the preset or the YAML file)")
	cmd.Flags().StringVar(&gamesFrom, "games-from", "", "run folder whose newest games fill a new run's first window")
	cmd.Flags().IntVar(&until, "until", 0, "stop after this generation (default: after the last, with the matches at the end)")
	cmd.Flags().BoolVar(&printConfig, "print-config", false, "print the whole configuration, with where each value comes from, and do nothing else")
	cmd.Flags().BoolVar(&plan, "plan", true, "measure this machine for some seconds before a new run and print what to expect")
	addSetFlag(cmd, &sets, "train.batch=128")
	addMachineFlags(cmd, &machine)
	return cmd
}

// train plans, runs and reports.
func train(cmd *cobra.Command, c *configs.Config, plan bool, o loop.Options) error {
	ctx := cmd.Context()
	o.Progress = newProgress(cmd)
	text, err := unseenIn(&c.Run)
	if err != nil {
		return misused(err)
	}
	if text != "" {
		o.Progress.Say("warning: %s", text)
	}
	folder := datasets.RunFolder(o.Dir)
	if _, err := os.Stat(folder.Identity()); err == nil {
		o.Progress.Say("run folder %s: going on with the run in it", o.Dir)
	} else if err := o.CheckBeginning(&c.Run); err != nil {
		return misused(err)
	} else if plan {
		o.Progress.Say("run folder %s: a new run; measuring this machine", o.Dir)
		expected, err := loop.Estimate(ctx, &c.Run, o.Machine)
		if err != nil {
			return err
		}
		o.Progress.Say("%s", expected)
	}
	proof, err := loop.Run(ctx, &c.Run, o)
	if errors.Is(err, context.Canceled) {
		o.Progress.Say("stopped; everything finished is kept: `synochess train --run %s` goes on", o.Dir)
	}
	if err != nil {
		return err
	}
	record, err := readRun(folder)
	if err != nil {
		return err
	}
	if err := record.write(folder.Report()); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	last := c.Run.Generations
	if proof == nil {
		last = o.Until
		o.Progress.Say("stopped after generation %d of %d: `synochess train --run %s` goes on", last, c.Run.Generations, o.Dir)
	} else {
		fmt.Fprint(out, proofTable(proof))
	}
	_, err = fmt.Fprintf(out, "learning curves: %s\nweights: %s\n", folder.Report(), folder.WeightsOf(last))
	return err
}

// newProgress reports on standard error, with bars if that is a terminal.
func newProgress(cmd *cobra.Command) progress.Reporter {
	if f, ok := cmd.ErrOrStderr().(*os.File); ok {
		return progress.New(f)
	}
	return progress.Silent()
}

// addWorkersFlag gives a command that plays games the flag that says how many cores may.
func addWorkersFlag(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVar(workers, "workers", runtime.NumCPU(), "processors that play games (changes the speed, not the games)")
}

// addMachineFlags gives a command the flags that say what it may use of the machine.
func addMachineFlags(cmd *cobra.Command, m *loop.Machine) {
	addWorkersFlag(cmd, &m.Workers)
	cmd.Flags().IntVar(&m.Threads, "threads", runtime.NumCPU(), "processors that train (changes the speed, not the weights)")
}

// checkMachine says what is wrong with those flags.
func checkMachine(m loop.Machine) error {
	if m.Workers < 1 || m.Threads < 1 {
		return misused(fmt.Errorf("--workers %d, --threads %d: want at least 1 of each", m.Workers, m.Threads))
	}
	return nil
}

// unseenIn says which fields of a run's rule sets its networks cannot see, "" if there are none.
func unseenIn(c *loop.Config) (string, error) {
	rules, err := selfplay.NewRuleSource(c.Rules)
	if err != nil {
		return "", err
	}
	version := c.Net.Complete().EncodingVersion
	keys := encode.Unseen(version, rules.Examples()...)
	if len(keys) == 0 {
		return "", nil
	}
	return fmt.Sprintf("networks of net.encoding %d have no input for %s: rule sets that differ only there look the same to them; net.encoding %d has one",
		version, strings.Join(keys, ", "), encode.Version), nil
}
