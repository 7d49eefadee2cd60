//go:build !amd64 && !arm64

package inference

import "synochess/net/kernels"

// There is no assembly for this kind of processor.

func assemblyOf(*kernels.Path) *assembly           { return nil }
func int16AssemblyOf(*kernels.Path) *int16Assembly { return nil }
