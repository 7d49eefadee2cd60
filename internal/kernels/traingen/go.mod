// The generator of the training kernels' assembly: a module of its own, so that the program does not
// depend on avo.
module synochess/internal/kernels/traingen

go 1.26.0

require github.com/mmcloughlin/avo v0.6.0

require (
	golang.org/x/mod v0.38.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/tools v0.48.0 // indirect
)
