package db

// KeepStatements has d keep at most that many prepared statements in each pool, of those that are prepared from now on.
func (d *DB) KeepStatements(most int) {
	d.writes = newStatements(d.write, most)
	d.reads = newStatements(d.read, most)
}
