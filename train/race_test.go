//go:build race

package train

// underRace says that the race detector is on. Its own memory grows.
const underRace = true
