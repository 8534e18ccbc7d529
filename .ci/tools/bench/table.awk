# Turns the output of `go test -bench -benchmem` into a Markdown table: one row a benchmark, in milliseconds.
BEGIN {
	print "# What reading and drawing cost"
	print ""
	print "Printed by `task bench`. Times are of one core unless the name says otherwise; another machine gives others,"
	print "ratios stay."
}
/^goos:/ { os = $2 }
/^goarch:/ { arch = $2 }
/^cpu:/ { cpu = substr($0, 6) }
/^pkg:/ { pkg = $2; sub(/^masthead\//, "", pkg) }
/^Benchmark/ && / ns\/op/ {
	if (!named) {
		named = 1
		print ""
		printf "Machine: %s, %s/%s, %d cores.\n", cpu, os, arch, cores
	}
	if (pkg != last) {
		last = pkg
		print ""
		printf "## `%s`\n\n", pkg
		print "| Benchmark | ms | KB allocated | allocations | more |"
		print "|---|---|---|---|---|"
	}
	name = $1; sub(/^Benchmark/, "", name); sub(/-[0-9]+$/, "", name); gsub(/_/, " ", name)
	ms = kb = allocs = more = ""
	for (i = 3; i < NF; i += 2) {
		if ($(i + 1) == "ns/op") ms = sprintf($i < 10000 ? "%.5f" : $i < 1000000 ? "%.3f" : "%.2f", $i / 1e6)
		else if ($(i + 1) == "B/op") kb = sprintf("%.1f", $i / 1000)
		else if ($(i + 1) == "allocs/op") allocs = $i
		else more = more (more == "" ? "" : ", ") $i " " $(i + 1)
	}
	printf "| %s | %s | %s | %s | %s |\n", name, ms, kb, allocs, more
}
/^(FAIL|panic|--- FAIL)/ { print > "/dev/stderr"; failed = 1 }
END { exit failed }
