// Package css turns style sheets and a parsed document into a tree of nodes with computed styles.
package css
