package palette

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/disintegration/imaging"
)

// Figures of the clustering.
const (
	clusterSide  = 64  // pictures are looked at in this size
	clusterCount = 5   // k
	clusterTurns = 16  // k-means moves; it rests long before on icons
	clusterShare = .04 // of the seen pixels, below which a cluster is noise
	exactShare   = .25 // of a cluster, from which its most frequent color stands for it
)

// Cluster is a color of a picture and the share of the seen pixels that have about this color, 0 to 1.
type Cluster struct {
	Color color.NRGBA
	Share float64
}

// Clusters returns the main colors of a picture, the largest share first: at most five, each of 4 % or more. Pixels
// with an alpha under one half do not count. A picture of another size than 64×64 is scaled first. The color of a flat
// logo is found exactly.
//
// The picture must be decoded and bounded already. The same picture always gives the same clusters.
func Clusters(img *image.NRGBA) []Cluster {
	if img.Rect.Empty() {
		return nil
	}
	if img.Rect.Dx() != clusterSide || img.Rect.Dy() != clusterSide {
		img = imaging.Resize(img, clusterSide, clusterSide, imaging.Box)
	}
	points := make([]point, 0, clusterSide*clusterSide)
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			if c := img.NRGBAAt(x, y); c.A >= 128 {
				c.A = 255
				points = append(points, point{color: c, lab: ToLab(c)})
			}
		}
	}
	if len(points) == 0 {
		return nil
	}
	k := kMeans(points)
	var clusters []Cluster
	for i := range k {
		if n := count(points, i); float64(n) >= clusterShare*float64(len(points)) {
			clusters = append(clusters, Cluster{representative(points, i, n, k[i]), float64(n) / float64(len(points))})
		}
	}
	slices.SortStableFunc(clusters, func(a, b Cluster) int { return cmp.Compare(b.Share, a.Share) })
	return clusters
}

// Candidates turns the clusters of a picture into candidates for the accent, with the weight of the source for the
// largest chromatic one; smaller ones weigh less (by the fourth root of their share in it), so that a red dot on a blue
// icon does not win by its red alone. Neutral clusters keep the whole weight: they decide nothing but whether the brand
// is neutral.
func Candidates(clusters []Cluster, s Source) []Candidate {
	largest := 0.0
	for _, c := range clusters {
		if ToLCH(c.Color).C >= neutralChroma {
			largest = max(largest, c.Share)
		}
	}
	found := make([]Candidate, 0, len(clusters))
	for _, c := range clusters {
		w := s.Weight()
		if ToLCH(c.Color).C >= neutralChroma {
			w *= math.Sqrt(math.Sqrt(c.Share / largest))
		}
		found = append(found, Candidate{Color: c.Color, Source: s, Weight: w})
	}
	return found
}

type point struct {
	color color.NRGBA
	lab   Lab
	in    int // its cluster
}

// kMeans divides the points by k-means with seeds of k-means++ and returns the centers; there are fewer than k when the
// points have fewer colors. The random source is fixed: a picture always has the same clusters.
func kMeans(points []point) []Lab {
	r := rand.New(rand.NewPCG(0x6d617374, 0x68656164))
	centers := []Lab{points[r.IntN(len(points))].lab}
	near := make([]float64, len(points))
	for i := range near {
		near[i] = math.Inf(1)
	}
	for len(centers) < clusterCount {
		last, sum := centers[len(centers)-1], 0.0
		for i := range points {
			d := points[i].lab.Distance(last)
			near[i] = min(near[i], d*d)
			sum += near[i]
		}
		if sum < 1e-9 {
			break
		}
		pick, at := r.Float64()*sum, 0
		for at < len(points)-1 && pick >= near[at] {
			pick -= near[at]
			at++
		}
		centers = append(centers, points[at].lab)
	}
	for range clusterTurns {
		if !assign(points, centers) {
			break
		}
		moveCenters(points, centers)
	}
	return centers
}

// assign puts each point into the cluster of the nearest center and reports whether any moved.
func assign(points []point, centers []Lab) (moved bool) {
	for i := range points {
		p := &points[i]
		best, at := math.Inf(1), 0
		for j, c := range centers {
			dl, da, db := p.lab.L-c.L, p.lab.A-c.A, p.lab.B-c.B
			if d := dl*dl + da*da + db*db; d < best {
				best, at = d, j
			}
		}
		if p.in != at {
			p.in, moved = at, true
		}
	}
	return moved
}

// moveCenters moves each center to the mean of its points; one without points stays.
func moveCenters(points []point, centers []Lab) {
	var sum [clusterCount]Lab
	var n [clusterCount]float64
	for _, p := range points {
		s := &sum[p.in]
		s.L, s.A, s.B = s.L+p.lab.L, s.A+p.lab.A, s.B+p.lab.B
		n[p.in]++
	}
	for i := range centers {
		if n[i] > 0 {
			centers[i] = Lab{sum[i].L / n[i], sum[i].A / n[i], sum[i].B / n[i]}
		}
	}
}

func count(points []point, cluster int) (n int) {
	for _, p := range points {
		if p.in == cluster {
			n++
		}
	}
	return n
}

// representative returns the color that stands for a cluster: its most frequent one if it is frequent, so that a flat
// logo keeps its exact brand color whatever its edges are, else the mean.
func representative(points []point, cluster, n int, mean Lab) color.NRGBA {
	seen := map[color.NRGBA]int{}
	var best color.NRGBA
	for _, p := range points {
		if p.in == cluster {
			seen[p.color]++
			if seen[p.color] > seen[best] {
				best = p.color
			}
		}
	}
	if float64(seen[best]) >= exactShare*float64(n) {
		return best
	}
	return mean.color()
}
