package uciengine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxLine    = 1 << 14 // bytes of a line that are kept; the rest of a longer one is dropped
	maxOutput  = 1 << 24 // bytes an engine may say in answer to one command
	queueLines = 256     // lines that wait to be read; an engine that says more has to wait itself
)

// The errors of a process. Where one is reported, "it" is the engine that the text before names.
var (
	errEnded  = errors.New("it has ended")
	errSilent = errors.New("no answer")
	errFlood  = fmt.Errorf("more than %d MB of output in answer to one command", maxOutput>>20)
	errDeaf   = errors.New("it does not read its input")
)

// process is a running engine. A goroutine of its own reads what it says and another writes what it is told,
// since either may block; tell and until belong to one goroutine at a time, kill to any.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	orders chan string   // commands that it has not been told yet
	lines  chan string   // what it says; closed at the end of its output
	said   atomic.Int64  // bytes since the last order
	killed chan struct{} // closed by kill
	once   sync.Once     // of kill
	gone   chan struct{} // closed when it has ended and been waited for
	stderr tail          // read it after gone
}

// startProcess starts an engine.
func startProcess(cfg Config) (*process, error) {
	p := &process{
		cmd: exec.Command(cfg.Command, cfg.Args...), orders: make(chan string, 16), lines: make(chan string, queueLines),
		killed: make(chan struct{}), gone: make(chan struct{}),
	}
	ownGroup(p.cmd)
	p.cmd.WaitDelay = time.Second // a child of the engine may hold its standard error open
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.write()
	go func() {
		p.read()
		p.cmd.Wait() // how it ended does not matter: that it did is seen by its output
		close(p.gone)
	}()
	return p, nil
}

// write passes the orders to the process until it is killed or does not take them any more.
func (p *process) write() {
	for {
		select {
		case text := <-p.orders:
			if _, err := io.WriteString(p.in, text); err != nil {
				return // whoever waits for an answer sees the output end
			}
		case <-p.killed:
			return
		}
	}
}

// read passes on the lines of the process, cut to maxLine bytes, until it ends.
func (p *process) read() {
	defer close(p.lines)
	r := bufio.NewReaderSize(p.out, 1<<16)
	line := make([]byte, 0, 256)
	for {
		part, err := r.ReadSlice('\n')
		p.said.Add(int64(len(part)))
		line = append(line, part[:min(len(part), maxLine-len(line))]...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) > 0 {
			select {
			case p.lines <- strings.TrimSpace(string(line)):
			case <-p.killed:
				return
			}
		}
		if err != nil {
			return
		}
		line = line[:0]
	}
}

// tell sends commands, one a line, and does not wait.
func (p *process) tell(commands ...string) error {
	p.said.Store(0)
	select {
	case p.orders <- strings.Join(commands, "\n") + "\n":
		return nil
	default:
		return errDeaf
	}
}

// until reads lines to the first that is wanted and returns it. The error is errSilent if the deadline comes first; the
// process may then still be busy with its answer.
func (p *process) until(deadline time.Time, wanted func(line string) bool) (string, error) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	// A line without an end is never passed on, so a flood is looked for at intervals as well.
	watch := time.NewTicker(50 * time.Millisecond)
	defer watch.Stop()
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return "", errEnded
			}
			if wanted(line) {
				return line, nil
			}
		case <-watch.C:
		case <-timer.C:
			return "", errSilent
		}
		if p.said.Load() > maxOutput {
			return "", errFlood
		}
	}
}

// kill ends the process and its children at once.
func (p *process) kill() {
	p.once.Do(func() {
		close(p.killed)
		killGroup(p.cmd)
		p.in.Close()
		p.out.Close()
	})
}

// quit asks the process to end, and kills it if it does not within a second.
func (p *process) quit() {
	if p.tell("quit") == nil {
		select {
		case <-p.gone:
		case <-time.After(time.Second):
		}
	}
	p.kill()
	<-p.gone
}

// complaint kills the process and returns the last line of what it wrote to standard error, in brackets, or "".
func (p *process) complaint() string {
	p.kill()
	<-p.gone
	lines := strings.Split(strings.TrimSpace(string(p.stderr)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return fmt.Sprintf(" (it says: %.200s)", strings.ToValidUTF8(last, "?"))
	}
	return ""
}

// tail keeps the end of what is written to it.
type tail []byte

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	const most = 2000
	*t = append(*t, b...)
	*t = append((*t)[:0], (*t)[max(0, len(*t)-most):]...)
	return len(b), nil
}
