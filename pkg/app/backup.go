package app

import (
	"context"

	"masthead/pkg/backup"
)

// folders are the folders in the data folder of the kinds of files.
var folders = map[string]string{"image": imagesFolder, "asset": imagesFolder, "report": auditsFolder}

const (
	imagesFolder = "images"
	auditsFolder = "audits"
	// exportsFolder has the exports of accounts, which aren't backed up.
	exportsFolder = "exports"
	secretName    = "jwt-secret"
)

// Backup writes an archive of the data in s to the file path: see [backup.Write].
func (s Storage) Backup(
	ctx context.Context, path, passphrase, version string, progress func(backup.Progress),
) (backup.Summary, error) {
	return backup.Write(ctx, s.backup(version, progress), path, passphrase)
}

// Restore restores an archive to s: see [backup.Restore].
func (s Storage) Restore(
	ctx context.Context, path, passphrase string, replace bool, progress func(backup.Progress),
) (backup.Summary, error) {
	if err := s.prepare(); err != nil {
		return backup.Summary{}, err
	}
	return backup.Restore(ctx, s.backup("", progress), path, passphrase, replace)
}

func (s Storage) backup(version string, progress func(backup.Progress)) backup.Config {
	return backup.Config{
		Database: s.database(), Dir: s.DataDir, Folders: folders, Secrets: []string{secretName},
		Reading: s.reading, Writing: s.writing, Pictures: s.place(),
		Version: version, Progress: progress,
	}
}
