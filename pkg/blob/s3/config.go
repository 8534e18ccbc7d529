package s3

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// Config has the settings of the store.
type Config struct {
	// Endpoint is the address of the server; "" for none: then pictures are in the data folder.
	Endpoint  string `name:"s3-endpoint" env:"MASTHEAD_S3_ENDPOINT" placeholder:"URL" help:"S3-compatible server for all pictures, such as https://s3.eu-central-1.amazonaws.com. If empty, they are in the data folder. A change moves nothing: masthead blobs copy does."`
	Bucket    string `name:"s3-bucket" env:"MASTHEAD_S3_BUCKET" placeholder:"NAME" help:"Bucket of the pictures. It must exist. Required with MASTHEAD_S3_ENDPOINT."`
	Region    string `name:"s3-region" env:"MASTHEAD_S3_REGION" default:"us-east-1" help:"Region of the bucket, which requests are signed for."`
	AccessKey string `name:"s3-access-key" env:"MASTHEAD_S3_ACCESS_KEY" placeholder:"…" help:"Access key for the bucket: it must be allowed to list the bucket, and to get, put and delete objects. Required with MASTHEAD_S3_ENDPOINT."`
	SecretKey string `name:"s3-secret-key" env:"MASTHEAD_S3_SECRET_KEY" placeholder:"…" help:"Secret of the access key. Required with MASTHEAD_S3_ENDPOINT."`
	// Lookup is path or host.
	Lookup string `name:"s3-lookup" env:"MASTHEAD_S3_LOOKUP" default:"path" help:"How addresses name the bucket. path: https://server/bucket/…, which every server understands. host: https://bucket.server/…"`
}

// Ways to name the bucket in addresses.
const (
	lookupPath = "path"
	lookupHost = "host"
)

// Enabled reports whether a server is configured.
func (c Config) Enabled() bool { return c.Endpoint != "" }

// bucketForm is that of names which are valid in paths and in host names. Source:
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
var bucketForm = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// Validate reports invalid settings by the names of their variables.
func (c Config) Validate() error {
	if !c.Enabled() {
		if c.Bucket != "" || c.AccessKey != "" || c.SecretKey != "" {
			return errors.New("MASTHEAD_S3_ENDPOINT is missing: without it, the other MASTHEAD_S3_ settings do nothing")
		}
		return nil
	}
	var errs []error
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		strings.Trim(u.Path, "/") != "" {
		errs = append(errs, errors.New("MASTHEAD_S3_ENDPOINT must be an address without a path, such as "+
			"https://s3.eu-central-1.amazonaws.com or http://127.0.0.1:9000"))
	}
	if !bucketForm.MatchString(c.Bucket) {
		errs = append(errs, errors.New("MASTHEAD_S3_BUCKET must be the name of a bucket: 3 to 63 lowercase letters, digits, "+
			"dots and hyphens"))
	}
	if c.AccessKey == "" || c.SecretKey == "" {
		errs = append(errs, errors.New("MASTHEAD_S3_ACCESS_KEY and MASTHEAD_S3_SECRET_KEY are required with "+
			"MASTHEAD_S3_ENDPOINT"))
	}
	if c.Lookup != "" && c.Lookup != lookupPath && c.Lookup != lookupHost {
		errs = append(errs, errors.New("MASTHEAD_S3_LOOKUP must be path or host"))
	}
	return errors.Join(errs...)
}
