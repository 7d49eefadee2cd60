package kernels

// TrainPath is one way to do the heavy work of training. Between paths results differ by rounding;
// within one they are the same bits on any number of threads. The portable path gives the same bits on
// every processor.
type TrainPath struct {
	Name string     // "portable", "avx2-f32" or "avx512-f32"
	simd *trainSIMD // nil if portable
}

var portableTraining = TrainPath{Name: "portable"}

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

// ChooseTrainPath returns the path that goes with the Set of Choose: the one of its name, or the portable
// one where training has no assembly for it (arm64).
func ChooseTrainPath() (*TrainPath, error) {
	set, err := Choose()
	if err != nil {
		return nil, err
	}
	can, _ := TrainPaths()
	for _, p := range can {
		if p.Name == set.Name {
			return p, nil
		}
	}
	return &portableTraining, nil
}

// assemblyPath is a path written in assembly and whether this processor runs it.
type assemblyPath struct {
	path *TrainPath
	runs bool
}
