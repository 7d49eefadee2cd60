//go:build !slowcheck

package env

const slowcheckEnabled = false
