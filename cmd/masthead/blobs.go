package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"masthead/cmd/masthead/targets"
	"masthead/pkg/app"
	"masthead/pkg/blob"
	"masthead/pkg/humanize"
)

// blobsCommand has the commands for stored pictures.
type blobsCommand struct {
	Copy copyCommand `cmd:"" help:"Copy all pictures from the data folder to the S3 store, or back. Run it again to go on after an interruption, or to copy what was added meanwhile."`
}

// copyCommand moves an installation's pictures.
type copyCommand struct {
	app.Storage
	From string `required:"" enum:"disk,s3" help:"Where the pictures are: disk or s3."`
	To   string `required:"" enum:"disk,s3" help:"Where they go: disk or s3."`
}

// Run copies. The service may be running on the old place.
func (c *copyCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout, os.Stderr) }

func (c *copyCommand) run(ctx context.Context, out, report io.Writer) error {
	shown := targets.NewProgress(report)
	copied, err := c.CopyPictures(ctx, c.From, c.To, func(folder string, p blob.CopyResult) {
		shown.Say(fmt.Sprintf("%s: %d %%, copied %s (%s), %d were there", folder, int(100*p.Done),
			humanize.Count(int(p.Files), "file"), humanize.Bytes(p.Bytes), p.Same))
	})
	shown.Say("")
	if err != nil {
		return fmt.Errorf("%w. Run the command again to go on", err)
	}
	damaged := ""
	if copied.Damaged > 0 {
		damaged = fmt.Sprintf("%s can't be read and stayed behind: the service draws images again.\n",
			humanize.Count(int(copied.Damaged), "file"))
	}
	next := "Now start all nodes with the MASTHEAD_S3_ settings."
	if c.To == app.OnDisk {
		next = "Now start the service without the MASTHEAD_S3_ settings."
	}
	_, err = fmt.Fprintf(out, "Copied %s (%s); %d were there.\n%s%s If the service was running, stop it and run this "+
		"again first: that copies what was added.\n", humanize.Count(int(copied.Files), "file"), humanize.Bytes(copied.Bytes),
		copied.Same, damaged, next)
	return err
}
