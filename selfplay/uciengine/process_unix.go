//go:build unix

package uciengine

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the engine a process group of its own: Ctrl-C at the terminal is for us, and killGroup
// reaches what the engine has started itself.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
