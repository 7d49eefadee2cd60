//go:build !amd64 && !arm64

package kernels

func assemblyPaths() []*Path { return nil }
