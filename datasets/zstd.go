package datasets

import (
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress"
	pzstd "github.com/parquet-go/parquet-go/compress/zstd"
)

// checkedZstd is zstd with a checksum in every frame, which any zstd reader verifies. Parquet's own page
// checksums do not suffice: parquet-go writes them for dictionary pages but does not check them there.
type checkedZstd struct {
	pzstd.Codec // names and decoding
}

var _ compress.Codec = (*checkedZstd)(nil)

// encoder makes the same bytes of the same page: one thread, fixed level. EncodeAll may be called by
// several goroutines.
var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderCRC(true), zstd.WithZeroFrames(true))
})

// Encode compresses src.
func (c *checkedZstd) Encode(dst, src []byte) ([]byte, error) {
	e, err := encoder()
	if err != nil {
		return nil, err
	}
	return e.EncodeAll(src, dst[:0]), nil
}
