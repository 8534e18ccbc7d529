//go:build smallfonts

package fonts

import "embed"

// largeFiles is empty: this program is built without the faces of Chinese, Japanese, Korean and Tibetan.
var largeFiles embed.FS
