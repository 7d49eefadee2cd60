package main

import (
	"sync"

	"synochess/net/kernels"
)

// chosenKernels returns the kernel path that commands pass down. It is chosen once, when the first of them needs it.
var chosenKernels = sync.OnceValues(kernels.Choose)
