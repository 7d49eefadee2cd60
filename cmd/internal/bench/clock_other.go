//go:build !unix

package bench

import "time"

var began = time.Now()

// cpuTime stands in with the clock on the wall where processor time is not to be had simply.
func cpuTime() time.Duration { return time.Since(began) }
