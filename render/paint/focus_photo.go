package paint

import (
	"image"
	"image/color"
	"math"
	"slices"
	"unsafe"

	"masthead/render/cache"
)

// Where heads are in photographs, as fractions of their height, and how crops keep them. Source:
// docs/rendering.md#pictures-of-pages.
const (
	headTop, headBottom = .12, .45
	emptyBand           = .25 // of the mean interest, under which there are no heads in the band
	borderRing          = 8   // sample points from a side within which most are of the background
	leastRarity         = .35
	edgeShare           = .06   // of a crop: its interest isn't centered closer to an edge
	clearlyBest         = 1.035 // times the score of the middle
	unclearY            = .38   // of the free height, if no crop is clearly the best

	acrossStops = 21  // candidate positions of a crop whose sides are cut
	sidePrior   = .35 // what the score of those at the sides is lowered by
	sidePower   = 1.5
	asidePrior  = .85 // what the score of those with all of their interest at an edge is lowered by
	cutReach    = .04 // of the width, from the edge of a crop: what is interesting there is cut
	pictureEdge = .01
	cutWeight   = 2 // times the interest that is cut

	personWeight = 1 // times the interest of a whole picture
	headWeight   = 3
	heartWeight  = 2   // times what is seen of its greatest interest, if the height is cut
	likelyHead   = .15 // how likely a head is that texts make room for
	likelyFace   = .3  // … by its face
	aboveHead    = .06 // of the height, between a head and the upper edge
	aboveCore    = .03 // … and the subject
	edgeCore     = 2   // sample points from the upper edge: a subject that begins there has no end to keep
	aboveClothes = .16 // … and the subject if that may be the clothes of someone

	portraitShown = .9 // of the height, which crops of upright pictures show at most
)

// FocusPhoto returns which part of a photograph should fill w×h, for [PlateSpec]: the one with the most interest
// outside of the quiet rectangles of the result, where text will be, and with who is likely in it. Interest is what is
// apart from the border, stands out from its surroundings, or is detail in a color that is rare at the border. If the
// height is cut, the part between 12 and 45 % of it stays, where heads are.
func FocusPhoto(img image.Image, w, h int, quiet []image.Rectangle) (atX, atY float64) {
	if c, room := photoRoom(img.Bounds().Size(), w, h); room.X > 0 || room.Y > 0 {
		return lookAt(img).focus(c, img.Bounds().Size(), room, w, h, quiet)
	}
	return .5, .5
}

// Photo is a photograph of a page, whose hash is computed once. Create it with [NewPhoto].
type Photo struct {
	img   image.Image
	sum   uint64
	kept  bool // its hash is known
	thing bool // it shows no people

	cropped struct { // the last crop, since several questions are asked about one
		w, h  int
		quiet image.Rectangle
		crop  crop
	}
}

// NewPhoto returns a photograph for its plates, without round corners. Its pixels must not change afterward, and it
// belongs to one goroutine at a time.
func NewPhoto(img image.Image) *Photo {
	if src, isNRGBA := img.(*image.NRGBA); isNRGBA {
		if whole, round := squared(src); round {
			img = whole
		}
	}
	sum, ok := SumOf(img)
	return &Photo{img: img, sum: sum, kept: ok}
}

// OfThing says that the photograph shows a thing or a dish: its crops keep nobody who looks like a person from afar, as
// a cup on its saucer does.
func (p *Photo) OfThing() { p.thing = true }

// Sum is [SumOf] of the photograph.
func (p *Photo) Sum() (sum uint64, ok bool) { return p.sum, p.kept }

// Plate is [NewPlate] for a photograph cropped by [FocusPhoto], in front of white if it is clear in parts, or of black
// if it is light itself. What is interesting in it is cached.
func (p *Photo) Plate(s PlateSpec, quiet []image.Rectangle) *Plate {
	s.AtX, s.AtY, s.Under = .5, .5, p.under()
	size := p.img.Bounds().Size()
	if c, room := photoRoom(size, s.W, s.H); room.X > 0 || room.Y > 0 {
		s.AtX, s.AtY = p.seen().focus(c, size, room, s.W, s.H, quiet)
	}
	return newPlate(p.img, s, p.sum, p.kept)
}

// lightThing is the mean luma, 0 to 255, above which what a picture with clear parts shows is lost on white.
const lightThing = 215

// under returns the color that shows through the photograph, the zero value if nothing does.
func (p *Photo) under() color.NRGBA {
	img, ok := p.img.(*image.NRGBA)
	if !ok || img.Rect.Empty() {
		return color.NRGBA{}
	}
	luma, shown, clear := 0, 0, false
	for i := range focusSide * focusSide {
		x, y := i%focusSide*img.Rect.Dx()/focusSide, i/focusSide*img.Rect.Dy()/focusSide
		q := img.Pix[y*img.Stride+4*x:][:4:4]
		clear = clear || q[3] < 255
		luma += (54*int(q[0]) + 183*int(q[1]) + 19*int(q[2])) >> 8 * int(q[3])
		shown += int(q[3])
	}
	switch {
	case !clear:
		return color.NRGBA{}
	case luma > lightThing*shown:
		return color.NRGBA{R: 24, G: 24, B: 27, A: 255}
	}
	return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
}

// Chin returns how far down, on w×h that the photograph fills, the heads of people in it reach; ok is false if nobody
// is likely there. Faces are where the crop that keeps quiet free has them, and those beside texts don't count.
// Someone who is likely only by their outline is where the best crop for texts at the bottom has them.
func (p *Photo) Chin(w, h int, quiet, texts image.Rectangle) (y int, ok bool) {
	size := p.img.Bounds().Size()
	if size.X < 2*focusSide || size.Y < 2*focusSide || w < 1 || h < 1 {
		return 0, false
	}
	s, c := p.sight(), coverCrop(size.X, size.Y, w, h, 0, 0)
	if s.person.likely >= likelyHead {
		_, last := s.stops(c.h/float64(size.Y), 1-c.h/float64(size.Y))
		y, ok = int((float64(s.person.head.Max.Y)/focusSide-last)*float64(size.Y)/c.h*float64(h)), true
	}
	if !s.hasFace() { // most photographs
		return y, ok
	}
	c = p.cropFor(w, h, quiet)
	for _, at := range s.heads {
		left, right := c.on(at.x0, size.X, c.x, c.w, w), c.on(at.x1, size.X, c.x, c.w, w)
		if at.likely >= likelyFace && right > texts.Min.X && left < texts.Max.X {
			y, ok = max(y, c.on(at.y1, size.Y, c.y, c.h, h)), true
		}
	}
	return y, ok
}

// on returns where a fraction of a side of a picture is on a side of what a crop of it fills.
func (c *crop) on(fraction float64, side int, from, extent float64, to int) int {
	return int((fraction*float64(side) - from) / extent * float64(to))
}

// cropFor returns the crop of the photograph for w×h that keeps quiet free.
func (p *Photo) cropFor(w, h int, quiet image.Rectangle) crop {
	last := &p.cropped
	if last.w != w || last.h != h || last.quiet != quiet {
		last.w, last.h, last.quiet, last.crop = w, h, quiet, p.findCrop(w, h, quiet)
	}
	return last.crop
}

// findCrop is cropFor, computed.
func (p *Photo) findCrop(w, h int, quiet image.Rectangle) crop {
	size := p.img.Bounds().Size()
	c, room := photoRoom(size, w, h)
	if room.X == 0 && room.Y == 0 {
		return coverCrop(size.X, size.Y, w, h, .5, .5)
	}
	atX, atY := p.seen().focus(c, size, room, w, h, []image.Rectangle{quiet})
	return coverCrop(size.X, size.Y, w, h, atX, atY)
}

// loneMargin is the width of the ground that [Photo.Lone] keeps around a thing, as a fraction of a side of the picture.
const loneMargin = .07

// Lone returns the part of the photograph with what is on its plain ground, and some of that around it; all of it if
// there is none.
func (p *Photo) Lone() image.Image {
	src, ok := p.img.(*image.NRGBA)
	lone := p.sight().lone
	if !ok || lone.Empty() {
		return p.img
	}
	size, margin := src.Rect.Size(), int(math.Round(loneMargin*focusSide))
	box := lone.Inset(-margin).Intersect(image.Rect(0, 0, focusSide, focusSide))
	return src.SubImage(image.Rect(box.Min.X*size.X/focusSide, box.Min.Y*size.Y/focusSide,
		box.Max.X*size.X/focusSide, box.Max.Y*size.Y/focusSide).Add(src.Rect.Min))
}

// Under returns which fraction of what is most interesting in the photograph is in an area of w×h that it fills, 0 to
// 1, by the crop that keeps quiet free, and whether the photograph shows a thing: most of that is close together, or
// the subject is small. Of a thing on a plain ground, all counts as covered if any of it is.
func (p *Photo) Under(w, h int, quiet, area image.Rectangle) (under float64, thing bool) {
	size := p.img.Bounds().Size()
	if size.X < 2*focusSide || size.Y < 2*focusSide || w < 1 || h < 1 {
		return 0, false
	}
	c := p.cropFor(w, h, quiet)
	s, all := p.sight(), 0.0
	if l := s.lone; !l.Empty() { // any part of it counts
		on := func(x, y int) image.Point {
			return image.Pt(c.on(float64(x)/focusSide, size.X, c.x, c.w, w), c.on(float64(y)/focusSide, size.Y, c.y, c.h, h))
		}
		if (image.Rectangle{Min: on(l.Min.X, l.Min.Y), Max: on(l.Max.X, l.Max.Y)}).Overlaps(area) {
			return 1, true
		}
	}
	for k, v := range s.heart {
		at := image.Pt(c.on((float64(k%focusSide)+.5)/focusSide, size.X, c.x, c.w, w),
			c.on((float64(k/focusSide)+.5)/focusSide, size.Y, c.y, c.h, h))
		if !at.In(image.Rect(0, 0, w, h)) {
			continue
		}
		if all += v; at.In(area) {
			under += v
		}
	}
	return under / max(all, 1e-9), s.gathered || s.core.Dx()*s.core.Dy() < coreOfThing*len(s.heart)/100
}

// sight returns what is interesting in the photograph, from the cache if it is there.
func (p *Photo) sight() *sight {
	key := sightKey{p.sum, p.img.Bounds().Size()}
	if s, found := sights.Get(key); found && p.kept {
		return s
	}
	s := lookAt(p.img)
	if p.kept {
		sights.Put(key, s)
	}
	return s
}

// seen is the photograph's sight without people if it shows a thing, which may be cut by its edges.
func (p *Photo) seen() *sight {
	s := p.sight()
	if p.thing {
		lone := s.lone.Union(s.cut)
		s = &sight{interest: s.interest, heart: s.heart, person: new(person), lone: lone, core: s.core}
	}
	return s
}

// sight is what is interesting in a photograph. It is shared and immutable.
type sight struct {
	interest *interest
	heart    *interest // where that is greatest
	gathered bool      // most of the heart is in a part of the width
	person   *person
	heads    []head
	lone     image.Rectangle // what is on a plain ground, in sample points; empty for other pictures
	cut      image.Rectangle // the same, although edges may cut it
	core     image.Rectangle // the subject, in sample points
}

// sightKey is a picture, identified like those of plates.
type sightKey struct {
	sum  uint64
	size image.Point
}

var sights = cache.NewPart(cache.Pieces, func(sightKey, *sight) int {
	return int(2*unsafe.Sizeof(interest{})+unsafe.Sizeof(person{})+4*unsafe.Sizeof(head{})) + 128
})

// cropRoom is the free space of a crop, in pixels of the picture: in one direction at most.
type cropRoom struct{ X, Y float64 }

// photoRoom returns the crop of a picture for w×h and its free space, none if there is hardly any or the picture is too
// small to be looked at.
func photoRoom(size image.Point, w, h int) (c crop, room cropRoom) {
	if size.X < 2*focusSide || size.Y < 2*focusSide || w < 1 || h < 1 {
		return c, room
	}
	c = coverCrop(size.X, size.Y, w, h, 0, 0)
	if x := float64(size.X) - c.w; x >= .02*float64(size.X) {
		return c, cropRoom{X: x}
	}
	if y := float64(size.Y) - c.h; y >= .02*float64(size.Y) {
		return c, cropRoom{Y: y}
	}
	return c, room
}

// focus returns the position of a crop of a picture of a size in its free space.
func (s *sight) focus(
	c crop, size image.Point, room cropRoom, w, h int, quiet []image.Rectangle,
) (atX, atY float64) {
	inside := func(r image.Rectangle) bool { return r.Overlaps(image.Rect(0, 0, w, h)) }
	if at, ok := s.around(c, size, room); ok && !slices.ContainsFunc(quiet, inside) {
		return at, at
	}
	if room.X > 0 {
		return s.across(c, size, room.X, w, h, quiet), .5
	}
	return .5, s.down(c, size, room.Y, w, h, quiet)
}

// hasFace reports whether there is a face that texts and crops make room for.
func (s *sight) hasFace() bool {
	return slices.ContainsFunc(s.heads, func(h head) bool { return h.likely >= likelyFace })
}

// around returns the position of the crop that has what is on a plain ground in its middle; ok is false for pictures
// without one, or of faces.
func (s *sight) around(c crop, size image.Point, room cropRoom) (at float64, ok bool) {
	if s.lone.Empty() || s.hasFace() {
		return 0, false
	}
	middle := func(from, to, side int, extent, free float64) float64 {
		return min(max((float64(from+to)/2/focusSide*float64(side)-extent/2)/free, 0), 1)
	}
	if room.X > 0 {
		return middle(s.lone.Min.X, s.lone.Max.X, size.X, c.w, room.X), true
	}
	return middle(s.lone.Min.Y, s.lone.Max.Y, size.Y, c.h, room.Y), true
}

// across returns the position of a crop of the whole height.
func (s *sight) across(c crop, size image.Point, room float64, w, h int, quiet []image.Rectangle) float64 {
	columns := s.interest.sums(false)
	best, middle, at := 0.0, 0.0, .5
	for i := range acrossStops {
		stop := float64((i+acrossStops/2)%acrossStops) / (acrossStops - 1) // the middle first
		c.x = stop * room
		from, to := c.x/float64(size.X), (c.x+c.w)/float64(size.X)
		score, center := s.interest.inside(c, size, w, h, quiet)
		score -= cutWeight * (cutInterest(columns, from) + cutInterest(columns, to))
		heads, likely := keptHeads(s.heads, from, to, false)
		score += headWeight * likely * likely * float64(len(s.interest)) * heads
		score -= personWeight * float64(len(s.interest)) * s.person.likely * s.asideOf(c, size)
		score *= 1 - sidePrior*math.Pow(math.Abs(2*stop-1), sidePower)
		score *= 1 - asidePrior*math.Abs(2*center-1)
		if i == 0 {
			middle = score
		} else if center < edgeShare || center > 1-edgeShare {
			continue
		}
		if score > best {
			best, at = score, stop
		}
	}
	if best < clearlyBest*middle {
		return .5
	}
	return at
}

// cutInterest returns the interest near the edge of a crop at x, a fraction of the picture's width: what is cut there.
// Near an edge of the picture that is as much as on average; otherwise crops at the sides of busy pictures, which cut
// on one side only, would always be the best.
func cutInterest(columns *[focusSide]float64, x float64) (sum float64) {
	edge := x < cutReach || x > 1-cutReach
	for i, v := range columns {
		switch {
		case edge:
			sum += v * 2 * cutReach
		case math.Abs((float64(i)+.5)/focusSide-x) < cutReach:
			sum += v
		}
	}
	return sum
}

// down returns the position of a crop of the whole width.
func (s *sight) down(c crop, size image.Point, room float64, w, h int, quiet []image.Rectangle) float64 {
	rows := s.interest.sums(true)
	interest, height, shown := s.interest, float64(size.Y), c.h/float64(size.Y)
	free := room / height
	first, last := s.stops(shown, free)
	const steps = 10
	best, at := math.Inf(-1), first
	unclear := min(max(unclearY*free, first), last)
	usual, hidden, usualHidden := 0.0, 0.0, 0.0
	perHeart := heartWeight * float64(len(interest)) / max(s.heart.sum(), 1e-9)
	for i := range steps + 2 {
		top := first + (last-first)*float64(i)/steps
		if i > steps {
			top = unclear
		}
		c.y = top * height
		score, _ := interest.inside(c, size, w, h, quiet)
		seen, _ := s.heart.inside(c, size, w, h, quiet)
		score += perHeart * seen
		score -= cutWeight*cutInterest(rows, top) + cutInterest(rows, top+shown)
		usualHidden = s.person.likely * s.hidden(c, size, w, h, quiet)
		score -= personWeight * float64(len(interest)) * usualHidden
		heads, likely := keptHeads(s.heads, top, top+shown, true)
		score += headWeight * likely * likely * float64(len(interest)) * heads
		if usual = score; score > best {
			best, at, hidden = score, top, usualHidden
		}
	}
	if hidden >= usualHidden && best-usual < (clearlyBest-1)*math.Abs(usual) {
		at = unclear
	}
	return at / free
}

// stops returns the first and the last place of the upper edge of a crop that shows a fraction of the height, and has
// another free, so that heads stay.
func (s *sight) stops(shown, free float64) (first, last float64) {
	first, last = max(0, headBottom-shown), min(headTop, free)
	if first > last { // the band doesn't fit: its upper part, where faces are
		first = last
	}
	if s.interest.band(headTop, headBottom) < emptyBand*s.interest.band(0, 1) {
		last = max(last, free/2)
	}
	if len(s.heads) > 0 { // which may be anywhere
		first, last = 0, free
	}
	if s.person.likely >= likelyHead { // which may be lower
		last = max(last, min(float64(s.person.head.Min.Y)/focusSide-aboveHead, free))
	}
	if s.core.Min.Y < edgeCore || s.hasFace() { // there is none, the picture itself cuts it, or a face matters more
		return first, last
	}
	above, someone := float64(s.core.Min.Y)/focusSide-aboveCore, s.person.likely >= likelyHead
	switch {
	case someone && shown >= portraitShown: // their head matters more
		return first, last
	case someone: // they stand, and what is of interest may be their clothes
		above -= aboveClothes - aboveCore
	case len(s.heads) == 0: // things may be anywhere
		last = max(last, min(above, free))
	}
	return first, max(first, min(last, above)) // with their upper ends
}

// asideOf returns which fraction of the likeliest head, and of what is beside it, is beside a crop.
func (s *sight) asideOf(c crop, size image.Point) float64 {
	head := s.person.head
	margin := headMargin * float64(head.Dx())
	from, to := max(float64(head.Min.X)-margin, 0), min(float64(head.Max.X)+margin, focusSide)
	first, last := c.x/float64(size.X)*focusSide, (c.x+c.w)/float64(size.X)*focusSide
	return 1 - max(min(to, last)-max(from, first), 0)/max(to-from, 1)
}

// hidden returns which fraction of the likeliest head is outside of a crop, or under the quiet rectangles.
func (s *sight) hidden(c crop, size image.Point, w, h int, quiet []image.Rectangle) float64 {
	head := s.person.head
	scaleX, scaleY := float64(size.X)/focusSide/c.w*float64(w), float64(size.Y)/focusSide/c.h*float64(h)
	x0, y0 := c.x/c.w*float64(w), c.y/c.h*float64(h)
	on := image.Rect(int(float64(head.Min.X)*scaleX-x0), int(float64(head.Min.Y)*scaleY-y0),
		int(float64(head.Max.X)*scaleX-x0), int(float64(head.Max.Y)*scaleY-y0))
	area := func(r image.Rectangle) float64 { return float64(r.Dx() * r.Dy()) }
	seen := area(on.Intersect(image.Rect(0, 0, w, h)))
	for _, r := range quiet {
		seen -= area(on.Intersect(r))
	}
	return 1 - max(seen, 0)/max(area(on), 1)
}
