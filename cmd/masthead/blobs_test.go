package main

import (
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/blob/s3/s3test"
)

// blobs copy says what is missing, copies, and says what to do next.
func TestBlobsCopy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	masthead(t, dir, "", nil, "blobs", "copy", "--from", "disk", "--to", "s3").
		want(t, exitFailed, "MASTHEAD_S3_ENDPOINT is missing")
	masthead(t, dir, "", nil, "blobs", "copy", "--from", "tape", "--to", "s3").want(t, exitUsage, "disk")
	bucket, ok := s3test.Bucket(t)
	if !ok {
		return
	}
	h := apptest.StartSignedIn(t)
	h.Generate("/page/copied", nil)
	settings := []string{
		"MASTHEAD_DATA_DIR=" + h.Config.DataDir, "MASTHEAD_S3_ENDPOINT=" + bucket.Endpoint, "MASTHEAD_S3_BUCKET=" + bucket.Bucket,
		"MASTHEAD_S3_ACCESS_KEY=" + bucket.AccessKey, "MASTHEAD_S3_SECRET_KEY=" + bucket.SecretKey,
	}
	copyTo := func(from, to string) runResult {
		return masthead(t, dir, "", settings, "blobs", "copy", "--from", from, "--to", to)
	}
	copyTo("disk", "s3").want(t, exitDone, "Copied 1 file", "0 were there", "with the MASTHEAD_S3_ settings")
	copyTo("disk", "s3").want(t, exitDone, "Copied 0 files", "1 were there")
	copyTo("s3", "s3").want(t, exitFailed, "name two places")
}
