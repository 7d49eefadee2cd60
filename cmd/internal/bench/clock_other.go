//go:build !unix

package bench

import "time"

var began = time.Now()

// cpuTime is time passed instead of processor time, which this system does not tell simply.
func cpuTime() time.Duration { return time.Since(began) }
