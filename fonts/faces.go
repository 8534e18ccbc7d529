package fonts

import _ "embed" // the faces are embedded as byte slices: they stay in the program's read-only pages, no copy is made

var (
	//go:embed inter-400.ttf
	inter400 []byte
	//go:embed inter-600.ttf
	inter600 []byte
	//go:embed inter-700.ttf
	inter700 []byte
	//go:embed inter-800.ttf
	inter800 []byte
	//go:embed plus-jakarta-sans-400.ttf
	plusJakartaSans400 []byte
	//go:embed plus-jakarta-sans-600.ttf
	plusJakartaSans600 []byte
	//go:embed plus-jakarta-sans-700.ttf
	plusJakartaSans700 []byte
	//go:embed plus-jakarta-sans-800.ttf
	plusJakartaSans800 []byte
	//go:embed space-grotesk-400.ttf
	spaceGrotesk400 []byte
	//go:embed space-grotesk-600.ttf
	spaceGrotesk600 []byte
	//go:embed space-grotesk-700.ttf
	spaceGrotesk700 []byte
	//go:embed jetbrains-mono-400.ttf
	jetbrainsMono400 []byte
	//go:embed jetbrains-mono-600.ttf
	jetbrainsMono600 []byte
	//go:embed jetbrains-mono-700.ttf
	jetbrainsMono700 []byte
	//go:embed jetbrains-mono-800.ttf
	jetbrainsMono800 []byte
	//go:embed noto-sans-400.ttf
	notoSans400 []byte
	//go:embed noto-sans-600.ttf
	notoSans600 []byte
	//go:embed noto-sans-700.ttf
	notoSans700 []byte
	//go:embed noto-sans-800.ttf
	notoSans800 []byte
	//go:embed instrument-serif-400.ttf
	instrumentSerif400 []byte
	//go:embed instrument-serif-400-italic.ttf
	instrumentSerif400Italic []byte
	//go:embed noto-sans-arabic-400.ttf
	notoSansArabic400 []byte
	//go:embed noto-sans-arabic-700.ttf
	notoSansArabic700 []byte
	//go:embed noto-sans-hebrew-400.ttf
	notoSansHebrew400 []byte
	//go:embed noto-sans-hebrew-700.ttf
	notoSansHebrew700 []byte
)

var faces = []*Face{
	{Family: "inter", Weight: 400, data: inter400},
	{Family: "inter", Weight: 600, data: inter600},
	{Family: "inter", Weight: 700, data: inter700},
	{Family: "inter", Weight: 800, data: inter800},
	{Family: "plus-jakarta-sans", Weight: 400, data: plusJakartaSans400},
	{Family: "plus-jakarta-sans", Weight: 600, data: plusJakartaSans600},
	{Family: "plus-jakarta-sans", Weight: 700, data: plusJakartaSans700},
	{Family: "plus-jakarta-sans", Weight: 800, data: plusJakartaSans800},
	{Family: "space-grotesk", Weight: 400, data: spaceGrotesk400},
	{Family: "space-grotesk", Weight: 600, data: spaceGrotesk600},
	{Family: "space-grotesk", Weight: 700, data: spaceGrotesk700},
	{Family: "jetbrains-mono", Weight: 400, data: jetbrainsMono400},
	{Family: "jetbrains-mono", Weight: 600, data: jetbrainsMono600},
	{Family: "jetbrains-mono", Weight: 700, data: jetbrainsMono700},
	{Family: "jetbrains-mono", Weight: 800, data: jetbrainsMono800},
	{Family: "noto-sans", Weight: 400, data: notoSans400},
	{Family: "noto-sans", Weight: 600, data: notoSans600},
	{Family: "noto-sans", Weight: 700, data: notoSans700},
	{Family: "noto-sans", Weight: 800, data: notoSans800},
	{Family: "instrument-serif", Weight: 400, data: instrumentSerif400},
	{Family: "instrument-serif", Weight: 400, Italic: true, data: instrumentSerif400Italic},
	{Family: "noto-sans-arabic", Weight: 400, data: notoSansArabic400},
	{Family: "noto-sans-arabic", Weight: 700, data: notoSansArabic700},
	{Family: "noto-sans-hebrew", Weight: 400, data: notoSansHebrew400},
	{Family: "noto-sans-hebrew", Weight: 700, data: notoSansHebrew700},
}
