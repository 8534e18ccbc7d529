package palette_test

var tokenNames = [12]string{
	"bg", "surface1", "surface2", "line", "text", "muted", "ink", "gfx", "fill", "on", "background", "onBackground",
}

// tokenTable holds the tokens of the accents that every template is tested with, in the order of tokenNames.
var tokenTable = []struct {
	accent uint32
	dark   bool
	want   [12]string
}{
	{0x4F46E5, true, [12]string{"#0B0D1A", "#151829", "#202339", "#33364A", "#F4F5F9", "#B1B3C1", "#6668FF", "#4F46E5", "#4F46E5", "#FFFFFF", "#4F46E5", "#FFFFFF"}},
	{0x4F46E5, false, [12]string{"#F9FAFF", "#EDEFFB", "#E0E4F5", "#D0D3E5", "#141728", "#535769", "#4F46E5", "#4F46E5", "#4F46E5", "#FFFFFF", "#4F46E5", "#FFFFFF"}},
	{0xE11D48, true, [12]string{"#19090A", "#271213", "#361D1E", "#493131", "#F9F4F3", "#C1AFAF", "#EC2D51", "#E11D48", "#E11D48", "#FFFFFF", "#E11D48", "#FFFFFF"}},
	{0xE11D48, false, [12]string{"#FFF8F8", "#FBECEC", "#F4DFDF", "#E4CECE", "#261112", "#685252", "#DB1244", "#E11D48", "#E11D48", "#FFFFFF", "#E11D48", "#FFFFFF"}},
	{0xFACC15, true, [12]string{"#130E02", "#1F1905", "#2C250E", "#3E3823", "#F6F5F1", "#B9B4A6", "#FACC15", "#FACC15", "#FACC15", "#130F06", "#FACC15", "#130F06"}},
	{0xFACC15, false, [12]string{"#FCFAF4", "#F4F0E5", "#E9E4D5", "#D9D4C5", "#1E1804", "#5E5845", "#1E1804", "#FACC15", "#FACC15", "#130F06", "#FACC15", "#130F06"}},
	{0x10B981, true, [12]string{"#05120B", "#0B1E15", "#162A20", "#2A3D33", "#F2F6F4", "#AAB8B0", "#10B981", "#10B981", "#10B981", "#07120D", "#10B981", "#07120D"}},
	{0x10B981, false, [12]string{"#F6FCF9", "#E9F3ED", "#DBE9E1", "#CAD8D1", "#0A1D14", "#495E53", "#008058", "#00A471", "#10B981", "#07120D", "#10B981", "#07120D"}},
	{0x111827, true, [12]string{"#0E0E0F", "#19191A", "#242526", "#373839", "#F4F5F6", "#B2B4B9", "#F4F5F6", "#F4F5F6", "#F4F5F6", "#0E0E0F", "#111827", "#FFFFFF"}},
	{0x111827, false, [12]string{"#FAFAFA", "#F0F0F1", "#E4E4E5", "#D4D4D5", "#181819", "#55585E", "#181819", "#181819", "#111827", "#FFFFFF", "#111827", "#FFFFFF"}},
	{0xFFFFFF, true, [12]string{"#0E0E0E", "#191919", "#252525", "#383838", "#F4F5F6", "#B2B4B9", "#F4F5F6", "#F4F5F6", "#FFFFFF", "#0E0F13", "#FFFFFF", "#0E0F13"}},
	{0xFFFFFF, false, [12]string{"#FAFAFA", "#F0F0F0", "#E4E4E4", "#D4D4D4", "#181818", "#55585E", "#181818", "#181818", "#181818", "#FAFAFA", "#FFFFFF", "#0E0F13"}},
}
