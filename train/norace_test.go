//go:build !race

package train

// underRace says that the race detector is on.
const underRace = false
