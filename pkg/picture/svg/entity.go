package svg

import (
	"bytes"
	"regexp"
	"strings"
)

// This file reads the entities that editors such as Illustrator declare for namespaces: plain text, without references
// of their own, so that the text they come to is known before any is replaced.

const (
	maxEntities    = 64
	maxEntityBytes = 256
	// maxExpanded is the maximum length of what all references in a document are replaced by.
	maxExpanded = 64 << 10
)

// entityDeclaration is the declaration of an internal general entity. Those of parameters and of other files don't
// match.
var entityDeclaration = regexp.MustCompile(`<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>`)

// entitiesOf returns the entities that the declaration of a document type has. Those with markup or references in them
// are left out, and a document that refers to them isn't drawn.
func entitiesOf(declaration []byte, document []byte) (map[string]string, error) {
	entities := map[string]string{}
	expanded := 0
	found := entityDeclaration.FindAllSubmatch(declaration, maxEntities+1)
	if len(found) > maxEntities {
		return nil, tooLarge("more than %d entities", maxEntities)
	}
	for _, match := range found {
		name, value := string(match[1]), string(match[2])+string(match[3])
		switch _, known := entities[name]; {
		case len(value) > maxEntityBytes:
			return nil, tooLarge("an entity of %d bytes", len(value))
		case known || strings.ContainsAny(value, "<&%"):
			continue // the first declaration counts
		}
		entities[name] = value
		if expanded += len(value) * bytes.Count(document, []byte("&"+name+";")); expanded > maxExpanded {
			return nil, tooLarge("its entities come to more than %d bytes", maxExpanded)
		}
	}
	return entities, nil
}
