package fonts

// Reparse parses a face anew, for the benchmark.
func Reparse(family string, weight int) {
	f := Find(family, weight, false)
	fresh := &Face{Family: f.Family, Weight: f.Weight, data: f.data}
	fresh.Font()
}
