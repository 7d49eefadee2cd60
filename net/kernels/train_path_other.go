//go:build !amd64

package kernels

// assemblyPaths: there are none for this kind of processor.
var assemblyPaths []assemblyPath
