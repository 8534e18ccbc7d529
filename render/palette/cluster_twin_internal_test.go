package palette

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// apart returns the square of the distance between two colors.
func apart(p, q Lab) float64 {
	dl, da, db := p.L-q.L, p.A-q.A, p.B-q.B
	return dl*dl + da*da + db*db
}

// slowCenters is k-means as textbooks have it: every distance is computed anew, and all rounds are made.
// Source: D. Arthur, S. Vassilvitskii, "k-means++: The Advantages of Careful Seeding", 2007.
func slowCenters(labs []Lab) (centers []Lab, in []int) {
	random := rand.New(rand.NewPCG(0x6d617374, 0x68656164))
	centers = append(centers, labs[random.IntN(len(labs))])
	for len(centers) < clusterCount {
		near, sum := make([]float64, len(labs)), 0.0
		for i, p := range labs {
			near[i] = math.Inf(1)
			for _, c := range centers {
				d := math.Sqrt(apart(p, c))
				near[i] = min(near[i], d*d)
			}
			sum += near[i]
		}
		if sum < 1e-9 {
			break
		}
		at, pick := 0, random.Float64()*sum
		for ; at < len(labs)-1 && pick >= near[at]; at++ {
			pick -= near[at]
		}
		centers = append(centers, labs[at])
	}
	in = make([]int, len(labs))
	for range clusterTurns {
		for i, p := range labs {
			in[i] = 0
			for j, c := range centers {
				if apart(p, c) < apart(p, centers[in[i]]) {
					in[i] = j
				}
			}
		}
		for j := range centers {
			var sum Lab
			n := 0.0
			for i, p := range labs {
				if in[i] == j {
					sum.L, sum.A, sum.B, n = sum.L+p.L, sum.A+p.A, sum.B+p.B, n+1
				}
			}
			if n > 0 && len(centers) > 1 { // the only one is that of one color
				centers[j] = Lab{sum.L / n, sum.A / n, sum.B / n}
			}
		}
	}
	return centers, in
}

// slowClusters is Clusters of a picture of 64×64.
func slowClusters(img *image.NRGBA) (clusters []Cluster) {
	var labs []Lab
	var colors []color.NRGBA
	for i := range clusterSide * clusterSide {
		if c := img.NRGBAAt(i%clusterSide, i/clusterSide); c.A >= 128 {
			c.A = 255
			labs, colors = append(labs, ToLab(c)), append(colors, c)
		}
	}
	if len(labs) == 0 {
		return nil
	}
	centers, in := slowCenters(labs)
	for j, center := range centers {
		var own []color.NRGBA
		for i, c := range colors {
			if in[i] == j {
				own = append(own, c)
			}
		}
		if float64(len(own)) < .04*float64(len(colors)) {
			continue
		}
		most := 0
		count := map[color.NRGBA]int{}
		for _, c := range own {
			count[c]++
			most = max(most, count[c])
		}
		found := center.color()
		if float64(most) >= .25*float64(len(own)) {
			seen := map[color.NRGBA]int{}
			for _, c := range own { // of several, the one that is complete first
				if seen[c]++; seen[c] == most {
					found = c
					break
				}
			}
		}
		clusters = append(clusters, Cluster{found, float64(len(own)) / float64(len(colors))})
	}
	slices.SortStableFunc(clusters, func(a, b Cluster) int {
		switch {
		case a.Share > b.Share:
			return -1
		case a.Share < b.Share:
			return 1
		}
		return 0
	})
	return clusters
}

// FuzzClusterTwin finds the colors of pictures of flat parts, ramps and noise, opaque and not.
func FuzzClusterTwin(f *testing.F) {
	for kind := range uint8(4) {
		for seed := range uint64(4) {
			f.Add(kind, seed)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 4))
		few := make([]color.NRGBA, 1+random.IntN(9))
		for i := range few {
			few[i] = color.NRGBA{R: uint8(random.Uint32()), G: uint8(random.Uint32()), B: uint8(random.Uint32()), A: 255}
			if random.IntN(4) == 0 {
				few[i].A = uint8(random.Uint32())
			}
		}
		img := image.NewNRGBA(image.Rect(0, 0, clusterSide, clusterSide))
		cut := 1 + random.IntN(clusterSide*clusterSide)
		for i := range clusterSide * clusterSide {
			c := few[(i/cut)%len(few)]
			switch kind % 4 {
			case 1: // edges of a flat logo
				if random.IntN(9) == 0 {
					c.R, c.G, c.B = c.R/2+few[0].R/2, c.G/2+few[0].G/2, c.B/2+few[0].B/2
				}
			case 2: // a ramp
				c.R, c.B = uint8(i/16), uint8(i%64*4)
			case 3: // noise
				c = color.NRGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32())}
			}
			img.SetNRGBA(i%clusterSide, i/clusterSide, c)
		}
		if got, want := Clusters(img), slowClusters(img); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
