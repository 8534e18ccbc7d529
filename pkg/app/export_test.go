package app

// BackedUp is the folder of each kind of file that backups have.
var BackedUp = folders
