//go:build !smallfonts

package fonts

import "embed"

// largeFiles holds the faces of Chinese, Japanese, Korean and Tibetan, which weigh more than all others together.
//
//go:embed large/*.ttf
var largeFiles embed.FS
