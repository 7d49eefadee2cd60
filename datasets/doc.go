// Package datasets keeps games: the record of a finished game, the journal it goes to at once, the
// Parquet files generations are compacted to, the replay window training draws from, and inspection.
package datasets
