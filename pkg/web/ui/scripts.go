package ui

import (
	"crypto/sha256"
	"encoding/hex"
)

// ScriptPath is the path prefix of the scripts that are files of their own, followed by the name and the digest of one.
const ScriptPath = "/scripts/"

// swaps is the script that swaps parts of a page in place: htmx, its settings, and what we add to it. js/htmx.min.js is
// a file of the npm package that .ci/tools/htmx pins, unchanged. Pages load it as a file that browsers keep, since it
// is larger than all other scripts together.
var swaps = string(Script("htmx-config")) + file("js/htmx.min.js") + "\n;" + string(Script("swap"))

// named is the part of a script's address after [ScriptPath].
func named(name, script string) string {
	sum := sha256.Sum256([]byte(script))
	return name + "." + hex.EncodeToString(sum[:6]) + ".js"
}

var (
	swapsName = named("swap", swaps)
	// own are scripts of one page each, by their names.
	own = map[string]string{"editor": string(Script("editor"))}
)

// Scripts returns the scripts by the part of their addresses after [ScriptPath]. The file at an address never changes.
func Scripts() map[string][]byte {
	all := map[string][]byte{swapsName: []byte(swaps)}
	for name, script := range own {
		all[named(name, script)] = []byte(script)
	}
	return all
}

// ScriptURL is the address of the script of one page.
func (h Head) ScriptURL(name string) string { return ScriptPath + named(name, own[name]) }

// SwapsURL is the address of the script that swaps parts of a page in place, for pages with the attributes of htmx.
func (h Head) SwapsURL() string { return ScriptPath + swapsName }
