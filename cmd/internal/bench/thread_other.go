//go:build !linux

package bench

import "time"

// threadClock is what threadTime reads.
const threadClock = Wall

// threadTime stands in with the clock on the wall.
func threadTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
