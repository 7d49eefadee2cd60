module synochess/net/kernels/gen

go 1.26.0

require (
	github.com/mmcloughlin/avo v0.6.0
	synochess v0.0.0
)

require (
	golang.org/x/mod v0.38.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/tools v0.48.0 // indirect
)

replace synochess => ../../..
