// Package imagecache keeps in memory what the public addresses serve, so that a picture that is asked for often takes
// neither the database nor the disk:
//
//   - index.go: which file an image is, by its public id, and by the addresses of a project that show it
//   - records.go: whole records of images, by the keys that they are kept under
//   - files.go: the bytes of files that are asked for often, while those on disk are as they were
//
// All are bounded. The index is told of every change by who makes it, or sees it: package images.
package imagecache
