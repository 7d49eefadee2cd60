// Package configs turns YAML into the settings of a run.
//
// Settings come in layers, later over earlier ones: the presets embedded here, a file, and `--set a.b=c`
// from the command line. Mappings merge, lists and values replace. A layer may name the preset it changes
// with a top-level key `base`; a file without one changes `quick`, the preset that names every key.
//
// Nothing is guessed: a key nobody reads, a value of another type, a key without a value, a key that
// stands twice and a second document are errors that name file, line and key.
//
// A resolved configuration holds the rule sets of the rules files that it names, so that nothing depends on the files
// any more. Their paths are relative to the file that names them.
//
// rules/ holds examples of rule sets; they are read by package env.
//
// What a key may hold is a tag of its field (package setting), what it means a comment in quick.yaml. docs/configuration.md
// and schema.json are made from both.
package configs

//go:generate go test -run ^(TestPage|TestSchema)$ . -update
