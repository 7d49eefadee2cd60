package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestRevision(t *testing.T) {
	hash := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	for want, settings := range map[string][]debug.BuildSetting{
		"":                      {{Key: "vcs", Value: "git"}, {Key: "vcs.modified", Value: "true"}},
		"+0123456789ab":         {hash, {Key: "vcs.modified", Value: "false"}},
		"+0123456789ab.changes": {{Key: "vcs.modified", Value: "true"}, hash},
		"+1":                    {{Key: "vcs.revision", Value: "1"}},
	} {
		if got := revision(settings); got != want {
			t.Errorf("%v: revision %q, want %q", settings, got, want)
		}
	}
	if got := programVersion(); !strings.HasPrefix(got, version) {
		t.Errorf("the program calls itself %q", got)
	}
}
