package kernels

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePages asks for large pages under x, which has not been touched yet. Passes over boards are
// bound by memory, and with small pages half the time goes into finding them.
func hugePages(x []float32) {
	const page = 2 << 20
	start := uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	skip := (page - start%page) % page
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), floatBytes*len(x))
	if whole := (len(bytes) - int(skip)) / page * page; int(skip) < len(bytes) && whole > 0 {
		_ = unix.Madvise(bytes[skip:int(skip)+whole], unix.MADV_HUGEPAGE) // a wish: nothing hangs on it
	}
}
