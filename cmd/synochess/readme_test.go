package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// README.md lists every command, and none that there is not.
func TestReadmeListsTheCommands(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Commands\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed, there []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)[^`]*` \\|").FindAllStringSubmatch(section, -1) {
		listed = append(listed, row[1])
	}
	for _, c := range newRoot().Commands() {
		there = append(there, c.Name())
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("README.md lists the commands %q, there are %q", listed, there)
	}
}
