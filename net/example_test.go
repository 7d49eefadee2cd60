package net_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"synochess/net"
)

// A network is made, saved and loaded.
func Example() {
	dir, err := os.MkdirTemp("", "weights")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "small.weights")

	made := net.New(net.Arch{Blocks: 2, Width: 16, ValueChannels: 4, ValueHidden: 32}, 1)
	made.Record.Rules = []string{"name: pychess\n"}
	if err := made.Save(path); err != nil {
		log.Fatal(err)
	}
	loaded, err := net.Load(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same evaluations:", loaded.EvalID() == made.EvalID())
	fmt.Println("encoding version:", loaded.Arch.EncodingVersion)
	fmt.Println("parameters of a block's convolution:", loaded.Tensor("block0.conv1.weight").Shape)
	// Output:
	// the same evaluations: true
	// encoding version: 2
	// parameters of a block's convolution: [144 16]
}
