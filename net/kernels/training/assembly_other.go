//go:build !amd64

package training

import "synochess/net/kernels"

// assemblyOf: there is none for this kind of processor.
func assemblyOf(*kernels.Path) *assembly { return nil }
