package kernels

import (
	"fmt"
	"os"
	"strings"
)

// TrainPath is one way to do the heavy work of training. Between paths results differ by rounding;
// within one they are the same bits on any number of threads. The portable path gives the same bits on
// every processor.
type TrainPath struct {
	Name string     // "portable", "avx2-f32" or "avx512-f32"
	simd *trainSIMD // nil if portable
}

var portableTraining = TrainPath{Name: "portable"}

// forced returns the name of the kernel path that the user wants instead of the fastest, "" for none.
func forced() string { return os.Getenv("SYNOCHESS_KERNELS") }

// TrainPaths returns the paths that this processor runs, fastest first, and the names of the others.
func TrainPaths() (can []*TrainPath, cannot []string) {
	for _, p := range assemblyPaths {
		if p.runs {
			can = append(can, p.path)
		} else {
			cannot = append(cannot, p.path.Name)
		}
	}
	return append(can, &portableTraining), cannot
}

// ChooseTrainPath returns the path that SYNOCHESS_KERNELS names or, if that is not set, the fastest. A
// name that is not known or that this processor cannot run is an error.
func ChooseTrainPath() (*TrainPath, error) {
	can, cannot := TrainPaths()
	want := forced()
	if want == "" {
		return can[0], nil
	}
	var names []string
	for _, p := range can {
		if p.Name == want {
			return p, nil
		}
		names = append(names, p.Name)
	}
	reason := "is not a kernel path"
	for _, n := range cannot {
		if n == want {
			reason = "needs instructions that this processor lacks"
		}
	}
	return nil, fmt.Errorf("SYNOCHESS_KERNELS=%s %s; use %s, or leave it unset", want, reason, strings.Join(names, ", "))
}

// assemblyPath is a path written in assembly and whether this processor runs it.
type assemblyPath struct {
	path *TrainPath
	runs bool
}
