package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
)

// maxLine bounds a command's length: 4,096 moves and a FEN take less.
const maxLine = 1 << 20

// readLines sends the lines of in until its end, then closes the channel; an error can be read after that.
func readLines(ctx context.Context, in io.Reader) (<-chan string, <-chan error) {
	lines, failed := make(chan string), make(chan error, 1)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		s.Buffer(nil, maxLine)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
		if err := s.Err(); err != nil {
			failed <- fmt.Errorf("reading a command: %w", err)
		}
	}()
	return lines, failed
}

// cutWord returns the first word of a line and what follows it. Words may be parted by any white space.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

// output writes whole lines; it may be used by several goroutines.
type output struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first that occurred; nothing is written after it
}

func (o *output) say(line string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = io.WriteString(o.w, line+"\n")
	}
}

// complain says what is wrong, on one line.
func (o *output) complain(err error) {
	o.say("info string error: " + strings.Join(strings.Fields(err.Error()), " "))
}

// failed reports whether nobody reads any more.
func (o *output) failed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err != nil
}
