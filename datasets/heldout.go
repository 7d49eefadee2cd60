package datasets

// HeldOut reports whether the games of a family are on the held-out side of a split, which takes a share of all: games
// that are measured and not learned from. The family is the number of the game at the root of a chain of forks
// (Game.Family), so that a fork stays on its parent's side. It depends on nothing else: a game never changes sides.
func HeldOut(family uint64, share float64) bool {
	// SplitMix64's finaliser: neighbouring numbers give unrelated ones.
	x := family + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return float64(x>>11)/(1<<53) < share
}
