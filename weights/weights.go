// Package weights holds the network that the program is shipped with. docs/model-card.md tells how it was trained and
// how strong it is.
package weights

import _ "embed"

// Shipped is its weights file (docs/weights-file.md).
//
//go:embed shipped.weights
var Shipped []byte
