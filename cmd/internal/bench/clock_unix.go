//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that this process has used, all threads and the system's part.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Duration(time.Now().UnixNano()) // cannot fail for this process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
