// Package motif draws what designs are recognized by: their lead shapes, and the light, the paper and the glass that
// they are on. Each takes its place and size from the design, so that a design looks the same in all of its sizes;
// texts and layout are the designs' matter. Shapes that take long to draw are cached.
package motif
