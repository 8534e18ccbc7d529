package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/audit"
	"masthead/pkg/audit/format"
)

// This file implements --resume: a file with a line of JSON for each finished page, after one that says what is
// audited.

// maxFinishedLine is the maximum length of a line: a report with its pictures.
const maxFinishedLine = 16 << 20

// task is what is audited: pages of another one aren't taken over.
type task struct {
	Version string `json:"masthead"`
	Sitemap string `json:"sitemap"`
	Origin  string `json:"origin"`
	As      string `json:"as"`
	// Pictures means that the reports have small pictures, for an HTML report of several pages.
	Pictures bool `json:"pictures"`
}

// task describes the command for count pages.
func (c *Command) task(count int) task {
	return task{Version: c.Version, Sitemap: c.Sitemap, Origin: c.Origin, As: c.As, Pictures: c.HTML != "" && count > 1}
}

// finishedLine is a line of the file.
type finishedLine struct {
	URL    string        `json:"url"` // as it was named
	Read   string        `json:"read"`
	Report *audit.Report `json:"report"`
	// Files are the contents of the report's pictures by name.
	Files map[string][]byte `json:"files,omitempty"`
}

// journal is the file of the pages that are finished. A nil one has none, and keeps none.
type journal struct {
	path  string
	file  *os.File
	pages map[string]format.Page
}

// openJournal reads the file at path, or creates it; "" gives nil. A line that was interrupted is dropped.
func openJournal(path string, of task) (*journal, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // no file
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	f := &journal{path: path, file: file, pages: map[string]format.Page{}}
	if err := f.read(of); err != nil {
		_ = file.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// read reads the file, and leaves it open at the end of its last whole line.
func (f *journal) read(of task) error {
	from := bufio.NewScanner(f.file)
	from.Buffer(make([]byte, 64<<10), maxFinishedLine)
	from.Split(wholeLines)
	var end int64
	first := true
	for from.Scan() {
		line := from.Bytes()
		if first {
			var other task
			if err := json.Unmarshal(line, &other); err != nil || other != of {
				return usage.Errorf("--resume %s: it isn't of this command. Delete it, or name another file", f.path)
			}
			first = false
		} else if err := f.take(line); err != nil {
			break // what follows is audited again
		}
		end += int64(len(line)) + 1
	}
	if err := from.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("read %s: %w", f.path, err)
	}
	if first {
		info, err := f.file.Stat()
		if err != nil {
			return fmt.Errorf("read %s: %w", f.path, err)
		}
		if info.Size() > 0 { // a file of something else, without a line
			return usage.Errorf("--resume %s: it isn't of this command. Delete it, or name another file", f.path)
		}
		return f.write(of)
	}
	if err := f.file.Truncate(end); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	if _, err := f.file.Seek(end, 0); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return nil
}

// wholeLines splits into lines that end with a line feed.
func wholeLines(data []byte, _ bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	return 0, nil, nil
}

// take takes a page over from a line.
func (f *journal) take(line []byte) error {
	var l finishedLine
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	if l.URL == "" || l.Report == nil {
		return errors.New("a line without a report")
	}
	for i := range l.Report.Pictures {
		if shown := l.Report.Pictures[i].Shown; shown != nil {
			shown.Data = l.Files[shown.Name]
		}
	}
	f.pages[l.URL] = format.Page{URL: l.Read, Report: l.Report}
	return nil
}

// page returns a finished page by its address as named.
func (f *journal) page(named string) (format.Page, bool) {
	if f == nil {
		return format.Page{}, false
	}
	p, ok := f.pages[named]
	return p, ok
}

// add adds a page. One without a report is read again the next time.
func (f *journal) add(named string, p format.Page) error {
	if f == nil || p.Report == nil {
		return nil
	}
	l := finishedLine{URL: named, Read: p.URL, Report: p.Report, Files: map[string][]byte{}}
	for i := range p.Report.Pictures {
		if shown := p.Report.Pictures[i].Shown; shown != nil {
			l.Files[shown.Name] = shown.Data
		}
	}
	return f.write(l)
}

func (f *journal) write(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode a line of %s: %w", f.path, err)
	}
	if _, err := f.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return nil
}

// stopped is the error of a run that was interrupted after n of all pages.
func (f *journal) stopped(n, all int) error {
	if f == nil {
		return fmt.Errorf("stopped after %d of %d pages", n, all)
	}
	return fmt.Errorf("stopped after %d of %d pages; the same command continues", n, all)
}

// remove deletes the file, once all reports are written.
func (f *journal) remove() error {
	if f == nil {
		return nil
	}
	if err := os.Remove(f.path); err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	return nil
}

func (f *journal) close() {
	if f != nil {
		_ = f.file.Close() // each line was written by itself
	}
}
