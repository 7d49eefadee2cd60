//go:build !linux

package bench

import "time"

// threadClock is what threadTime reads.
const threadClock = Wall

// threadTime is time passed instead of processor time, which this system does not tell by thread.
func threadTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
