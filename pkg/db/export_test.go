package db

// KeepStatements has d keep at most that many prepared statements in each pool, of those that are prepared from now on.
func (d *DB) KeepStatements(most int) {
	d.write.statements = newStatements(d.write.DB, most)
	d.read.statements = newStatements(d.read.DB, most)
}
