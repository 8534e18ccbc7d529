package template

import (
	"image"
	"testing"

	"masthead/render/template/kit"
)

// TestTexts_keepClearOfArtwork looks at the canvas below texts and a little beside them, on which nothing but the
// background is drawn.
func TestTexts_keepClearOfArtwork(t *testing.T) {
	const (
		conservator = "Permanent, £41,200 to £46,750 pro rata, based in Exeter with one day a week at the Barnstaple " +
			"store. Closing date: 22 November."
		novel = "رواية عن كاتب جمارك في بورسعيد يدوّن على هوامش سجلّات الشحن ما لا يجرؤ على قوله في بيته. " +
			"وصلت إلى القائمة الطويلة لجائزة السرد المتوسّطي."
		skier = "二十六岁以前，努尔兰在矿上开绞车；三十四岁这年，他带出了四名省队队员。本期节目在将军山脚下的书店现场录制，" +
			"我们聊到毛皮滑雪板、雪季之外的生计，以及“回来”这件事。"
		bot = "เวิร์กช็อปออนไลน์สองชั่วโมงครึ่งสำหรับคนที่ไม่เคยแตะ Rust มาก่อน ดึงค่าฝุ่น ตั้งเกณฑ์ " +
			"แล้วส่งข้อความเข้ากลุ่มครอบครัว ตัวอย่างทั้งหมดอยู่ในรีโพ"
	)
	for _, tc := range []struct {
		slug, lang, site, title, description string
		project                              kit.Project
	}{
		{"split", "en", "Devon", "Senior Conservator, Paper and Photographs (0.8 FTE)", conservator, kit.Project{}},
		{"split", "ar", "دار المرفأ", "دفاتر الميناء القديم", novel, kit.Project{}},
		{"editorial", "zh-Hans", "远行电台", "第27期｜从煤矿到雪场：对话阿勒泰滑雪教练努尔兰", skier, kit.Project{}},
		{"repo", "th", "สนิมน้อย", "fun-bot", bot, kit.Project{Language: "Rust", Stars: 133, License: "MIT"}},
		{"repo", "ar", "طابور", "taboor", "", kit.Project{Language: "Python", Stars: 208, License: "BSD-3-Clause"}},
	} {
		s := kit.Spec{Lang: tc.lang, RTL: tc.lang == "ar", Date: "2026年1月30日", Texts: kit.Texts{
			Eyebrow: "播客",
			Title:   tc.title, SiteName: tc.site, Description: tc.description,
			Owner: "north", Repo: "fun-bot", Project: tc.project,
		}}
		for seed := range uint64(4) {
			s.Seed = seed
			c := openCard(t, tc.slug, s)
			c.Layout()
			for _, p := range c.PlacedTexts() {
				if len([]rune(p.Text())) == 1 { // in the icon
					continue
				}
				ground, box := c.Canvas().At(600, 2), p.InkBox().Inset(-6).Intersect(image.Rect(0, 0, c.W, c.H))
				for y := box.Min.Y; y < box.Max.Y; y += 3 {
					for x := box.Min.X; x < box.Max.X; x += 3 {
						if c.Canvas().At(x, y) != ground {
							t.Fatalf("%s, %s, seed %d: artwork at %d,%d, beside %q", tc.slug, tc.lang, seed, x, y, p.Text())
						}
					}
				}
			}
		}
	}
}
