package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/blob"
	"masthead/pkg/blob/s3"
	"masthead/pkg/db"
	"masthead/pkg/installation"
)

// Storage says where data is kept; every command needs it.
type Storage struct {
	DataDir  string    `name:"data-dir" env:"MASTHEAD_DATA_DIR" default:"./data" placeholder:"FOLDER" help:"Folder of the SQLite database, images, generated secrets and compiled code."`
	Database db.Config `embed:""`
	S3       s3.Config `embed:""`
	CacheDir string    `name:"cache-dir" env:"MASTHEAD_CACHE_DIR" placeholder:"FOLDER" help:"Folder on this machine for copies of pictures, with MASTHEAD_S3_ENDPOINT. Each node needs one of its own. If empty, only memory has copies."`
	CacheMB  int64     `name:"cache-mb" env:"MASTHEAD_CACHE_MB" default:"1024" help:"Maximum size of MASTHEAD_CACHE_DIR in MB, at least 256. The least recently used pictures are deleted."`
}

// Validate reports invalid settings by the names of their variables.
func (s Storage) Validate() error {
	errs := []error{s.Database.Validate(), s.S3.Validate()}
	if s.CacheDir != "" && !s.S3.Enabled() {
		errs = append(errs, errors.New("MASTHEAD_CACHE_DIR needs MASTHEAD_S3_ENDPOINT: pictures in the data folder need no "+
			"copies"))
	}
	if s.CacheDir != "" && s.CacheMB<<20 < blob.MinCache {
		errs = append(errs, fmt.Errorf("MASTHEAD_CACHE_MB must be at least %d", int64(blob.MinCache>>20)))
	}
	return errors.Join(errs...)
}

// database is the configuration of the database, which is in the data folder unless it has an address.
func (s Storage) database() db.Config {
	cfg := s.Database
	cfg.Dir = s.DataDir
	return cfg
}

// prepare makes the data folder where it is missing and makes sure that it can be written to.
func (s Storage) prepare() error {
	if s.DataDir == "" {
		return errors.New("MASTHEAD_DATA_DIR must name a folder, such as ./data")
	}
	err := os.MkdirAll(s.DataDir, 0o700)
	if err == nil {
		_, err = s.probe()
	}
	if err != nil {
		return fmt.Errorf("MASTHEAD_DATA_DIR: the folder %s cannot be used: %w", s.DataDir, err)
	}
	return nil
}

// probe makes a file in the data folder, removes it and returns when the file system says that it was made. Its name is
// always the same, so that what a killed program left is removed by the next; another node may do the same at the same
// moment.
func (s Storage) probe() (time.Time, error) {
	path := s.path(".probe")
	_ = os.Remove(path) // what was left may be somebody else's
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return time.Time{}, err
	}
	info, err := f.Stat()
	err = errors.Join(err, f.Close())
	if gone := os.Remove(path); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Kept returns what [Storage.Keep] kept under name; the error is [fs.ErrNotExist] when there is none.
func (s Storage) Kept(name string) ([]byte, error) { return os.ReadFile(s.path(name)) }

// Keep writes a file of the data folder that only its owner reads, whole or not at all. The folder is made where it
// is missing.
func (s Storage) Keep(name string, data []byte) error {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.DataDir, "."+name+".writing-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), s.path(name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (s Storage) path(name string) string { return filepath.Join(s.DataDir, name) }

// pictureStore is a store with metrics.
type pictureStore interface {
	blob.Store
	Collectors() []prometheus.Collector
}

// bucketFolders are the folders in a bucket of the folders in the data folder. That of images is the path that they are
// served under.
var bucketFolders = map[string]string{
	imagesFolder: "cdn", auditsFolder: auditsFolder, exportsFolder: exportsFolder,
}

// openPictures opens the store of the images or of the pictures of audits, by the name of their folder.
func (s Storage) openPictures(folder string, space blob.Space) (pictureStore, error) {
	if !s.S3.Enabled() {
		return blob.OpenDisk(blob.Config{Dir: s.path(folder), Name: folder, Space: space})
	}
	bucket, err := s3.Open(s.S3, bucketFolders[folder])
	if err != nil || s.CacheDir == "" || folder != imagesFolder {
		return bucket, err
	}
	return blob.OpenCache(bucket, s.CacheDir, folder, s.CacheMB<<20)
}

// openExports opens the store of the exports of accounts. It deletes those of earlier versions, which were files of one
// node and could be downloaded for a day.
func (s Storage) openExports(space blob.Space) (pictureStore, error) {
	for _, old := range []string{"*.zip", "*.writing"} {
		left, err := fs.Glob(os.DirFS(s.path(exportsFolder)), old)
		if err != nil {
			return nil, fmt.Errorf("look for old exports: %w", err)
		}
		for _, name := range left {
			if err := os.Remove(filepath.Join(s.path(exportsFolder), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("delete an old export: %w", err)
			}
		}
	}
	return s.openPictures(exportsFolder, space)
}

// reading opens a store of pictures for reading alone.
func (s Storage) reading(folder string) (blob.Store, error) {
	if !s.S3.Enabled() {
		return blob.Reading(s.path(folder)), nil
	}
	return s3.Open(s.S3, bucketFolders[folder])
}

// writing opens a store of pictures without a cache.
func (s Storage) writing(folder string) (blob.Store, error) {
	s.CacheDir = ""
	return s.openPictures(folder, nil)
}

// reachPictures makes sure that the bucket, if there is one, can be used.
func (s Storage) reachPictures(ctx context.Context) error {
	if !s.S3.Enabled() {
		return nil
	}
	store, err := s3.Open(s.S3, bucketFolders[imagesFolder])
	if err == nil {
		err = store.Check(ctx)
	}
	return err
}

// place is where the images are.
func (s Storage) place() installation.Place {
	if s.S3.Enabled() {
		if store, err := s3.Open(s.S3, bucketFolders[imagesFolder]); err == nil { // the settings are valid
			return store.Marker(installation.MarkerName)
		}
	}
	return installation.Folder(s.path(imagesFolder))
}

// Places of pictures, as `masthead blobs copy` names them.
const (
	OnDisk = "disk"
	InS3   = "s3"
)

// CopyPictures copies the pictures from one place to the other, and marks that as the installation's. It leaves out
// what is there, so that it can be repeated.
func (s Storage) CopyPictures(
	ctx context.Context, from, to string, progress func(folder string, c blob.CopyResult),
) (all blob.CopyResult, err error) {
	if !s.S3.Enabled() {
		return all, errors.New("MASTHEAD_S3_ENDPOINT is missing: it and the other MASTHEAD_S3_ settings say where the " +
			"bucket is")
	}
	if err := s.Validate(); err != nil {
		return all, err
	}
	if from == to {
		return all, fmt.Errorf("the pictures already are in %s: name two places", to)
	}
	source, target := s.at(from), s.at(to)
	id, err := source.place().Read(ctx)
	if err != nil {
		return all, err
	}
	if id == "" {
		return all, fmt.Errorf("%s has no pictures of an installation", source.place().Name())
	}
	if err := target.prepare(); err != nil {
		return all, err
	}
	if there, err := target.place().Read(ctx); err != nil || there != "" && there != id {
		return all, errors.Join(err, fmt.Errorf("%s has the pictures of another installation", target.place().Name()))
	}
	for _, folder := range []string{imagesFolder, auditsFolder, exportsFolder} {
		read, err := source.reading(folder)
		if err != nil {
			return all, err
		}
		write, err := target.writing(folder)
		if err != nil {
			return all, err
		}
		copied, err := blob.Copy(ctx, read, write, func(c blob.CopyResult) { progress(folder, c) })
		all.Files += copied.Files
		all.Bytes += copied.Bytes
		all.Same += copied.Same
		all.Damaged += copied.Damaged
		if err != nil {
			return all, err
		}
	}
	return all, installation.Mark(ctx, target.place(), id)
}

// at returns s with the pictures in a place.
func (s Storage) at(place string) Storage {
	if place == OnDisk {
		s.S3 = s3.Config{}
	}
	s.CacheDir = ""
	return s
}
