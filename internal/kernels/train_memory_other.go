//go:build !linux

package kernels

// hugePages does nothing: only Linux is asked for large pages.
func hugePages([]float32) {}
