package arena

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// The books' first lines say by which commands they were made.
//
//go:embed books/*.epd
var books embed.FS

// OpenBook returns the program's own book of fair openings of a rule set: the name of its file, and its text.
func OpenBook(rules string) (name string, text []byte, err error) {
	name = rules + ".epd"
	text, err = books.ReadFile("books/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("there is no book of fair openings for %s, only for %s; `synochess book` makes one", rules, strings.Join(bookNames(), " and "))
	}
	return name, text, err
}

func bookNames() []string {
	files, err := fs.Glob(books, "books/*.epd")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, "books/"), ".epd")
	}
	return files
}
