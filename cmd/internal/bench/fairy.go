package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"synochess/env"
	"synochess/selfplay/uciengine/fairy"
)

// fairyProcess is a process that runs Fairy-Stockfish's WebAssembly build. It works only while it is asked to.
type fairyProcess struct {
	version string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	errors  bytes.Buffer
}

// startFairy starts the engine that npm installed into a folder; temporary is for the script.
func startFairy(ctx context.Context, folder, temporary string) (*fairyProcess, error) {
	program, err := fairy.NPM(folder, temporary)
	if err != nil {
		return nil, fmt.Errorf("bench: --fairy: %w", err)
	}
	f := &fairyProcess{version: program.Version, cmd: exec.CommandContext(ctx, program.Command[0], program.Command[1:]...)}
	f.cmd.Stderr = &f.errors
	if f.in, err = f.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	f.out = bufio.NewScanner(out)
	if err := f.cmd.Start(); err != nil {
		return nil, fmt.Errorf("bench: --fairy: %w", err)
	}
	for name, value := range program.Options {
		if err == nil {
			_, err = f.ask("setoption name "+name+" value "+value+"\nisready", "readyok")
		}
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// close ends the process.
func (f *fairyProcess) close() {
	f.in.Close()
	f.cmd.Wait() // how it ended does not matter any more
}

// ask sends commands and returns the lines that come, to the first that begins with last.
func (f *fairyProcess) ask(commands, last string) (lines []string, err error) {
	if _, err = fmt.Fprintln(f.in, commands); err == nil {
		for f.out.Scan() {
			lines = append(lines, f.out.Text())
			if strings.HasPrefix(f.out.Text(), last) {
				return lines, nil
			}
		}
		err = errors.Join(f.out.Err(), io.ErrUnexpectedEOF)
	}
	f.close()
	return nil, fmt.Errorf("bench: Fairy-Stockfish stopped at %q: %w\n%s", commands, err, f.errors.String())
}

// seconds asks as ask does and also returns the processor time that the engine took for it.
func (f *fairyProcess) seconds(commands, last string) (lines []string, seconds float64, err error) {
	var before, after int64
	if err = f.number("cputime", "cputime ", &before); err == nil {
		if lines, err = f.ask(commands, last); err == nil {
			err = f.number("cputime", "cputime ", &after)
		}
	}
	return lines, max(float64(after-before)/1e6, 1e-9), err
}

// number asks for a line that is a number after the given words.
func (f *fairyProcess) number(command, words string, n *int64) error {
	lines, err := f.ask(command, words)
	if err == nil {
		_, err = fmt.Sscanf(lines[len(lines)-1], words+"%d", n)
	}
	return err
}

// position sets the engine's rules and position. An engine that does not know a variant silently plays
// chess, so it must confirm the variant and count the same moves two plies deep.
func (f *fairyProcess) position(r *env.Rules, p *env.Position) error {
	lines, err := f.ask("setoption name UCI_Variant value "+r.Name+"\nposition fen "+r.FEN(p)+"\nisready", "readyok")
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "info string variant "+r.Name+" ") }) {
		return fmt.Errorf("bench: Fairy-Stockfish does not know the variant %s: %q", r.Name, lines)
	}
	_, err = f.perft(2, r.Perft(p, 2))
	return err
}

// perft counts leaves from the position, of which there should be so many, and returns the seconds.
func (f *fairyProcess) perft(depth int, want uint64) (float64, error) {
	const words = "Nodes searched: "
	lines, seconds, err := f.seconds(fmt.Sprintf("go perft %d", depth), words)
	if err != nil {
		return 0, err
	}
	if got := strings.TrimPrefix(lines[len(lines)-1], words); got != fmt.Sprint(want) {
		return 0, fmt.Errorf("bench: Fairy-Stockfish counts %s leaves at depth %d and this program %d: they do not play by the same rules", got, depth, want)
	}
	return seconds, nil
}

// fairyNodes is how far the engine searches in its turn.
const fairyNodes = 25_000

// search searches anew from the position and returns the seconds for a node of the engine's tree.
func (f *fairyProcess) search() (float64, error) {
	if _, err := f.ask("ucinewgame\nisready", "readyok"); err != nil {
		return 0, err
	}
	lines, seconds, err := f.seconds(fmt.Sprintf("go nodes %d", fairyNodes), "bestmove ")
	if err != nil {
		return 0, err
	}
	nodes := 0
	for _, line := range lines {
		if _, after, ok := strings.Cut(line, " nodes "); ok {
			fmt.Sscanf(after, "%d", &nodes) // the last line counts
		}
	}
	if nodes < fairyNodes {
		return 0, fmt.Errorf("bench: Fairy-Stockfish searched %d nodes, not %d: the game is over in this position", nodes, fairyNodes)
	}
	return seconds / float64(nodes), nil
}
