package page_test

import (
	"fmt"
	"html"
	"net/url"
	"testing"

	"masthead/pkg/cleantext"
	"masthead/pkg/page"
	"masthead/pkg/testenv"
)

func TestParse_cardTitle_leavesOutTheSiteWhereAnotherWitnessSaysSo(t *testing.T) {
	const ogURL = `<meta property=og:url content="https://%s/x">`
	for _, c := range []struct{ name, host, title, body, want string }{
		{"declared name", "", "Bread that waits | Ofen", `<meta name=application-name content=ofen>`, "Bread that waits"},
		{"in brackets", "", "【Ofen】Bread that waits", `<meta name=publisher content=Ofen>`, "Bread that waits"},
		{"a word in brackets", "", "【New】Bread that waits", "", "【New】Bread that waits"},
		{"structured data", "", "Bread that waits – Ofen & Co", ld(`{"@type":"WebSite","name":"Ofen &amp; Co"}`), "Bread that waits"},
		{"publisher", "", "Bread that waits - Ofen", `<meta name=publisher content=Ofen>`, "Bread that waits"},
		{"search of the site", "", "Bread that waits - Ofen", `<link rel=search title=Ofen href=/o.xml>`, "Bread that waits"},
		{"the host", "www.ofen.example", "Bread that waits · Ofen", "", "Bread that waits"},
		{"a short host", "news.bbc.co.uk", "The man in the basement - BBC", "", "The man in the basement"},
		{"the host of og:url", "127.0.0.1", "Bob Dylan - Wikipedia", fmt.Sprintf(ogURL, "en.wikipedia.org"), "Bob Dylan"},
		{"the canonical host", "127.0.0.1", "Bob Dylan - Wikipedia", `<link rel=canonical href="https://en.wikipedia.org/wiki/Bob_Dylan">`, "Bob Dylan"},
		{"a host of another script", "xn--80ak6aa.xn--p1ai", "Зимой открыто - Арра", fmt.Sprintf(ogURL, "арра.рф"), "Зимой открыто"},
		{"link to the first page", "", "Ekmek bekler — Fırın", `<a href="/"> <b>Fırın</b></a>`, "Ekmek bekler"},
		{"logo in that link", "", "لقاء مع الكاتب - صدى البلد", `<a href="/"><img src=l.png alt="صدى البلد"></a>`, "لقاء مع الكاتب"},
		{"the whole address", "m.ofen.example", "חדשות היום | תנור", `<a href="https://www.ofen.example">תנור</a>`, "חדשות היום"},
		{"an address below", "ofen.example", "חדשות היום | תנור", `<a href="//www.ofen.example/">תנור</a>`, "חדשות היום"},
		{"Chinese, section and site", "", "一个约会软件帮你找对象_智能_好奇心日报", `<h1>好奇心日报</h1><h2>一个约会软件帮你找对象</h2>`, "一个约会软件帮你找对象"},
		{"Chinese, a hyphen without spaces", "", "一个约会软件帮你找对象-好奇心日报", `<a href="/">好奇心日报</a>`, "一个约会软件帮你找对象"},
		{"Japanese", "", "最新の機種を比較してみた｜道具日和", `<a href="/"><img alt="道具日和"></a>`, "最新の機種を比較してみた"},
		{"Japanese, a wide colon", "", "最新の機種を比較してみた：道具日和", `<meta property=og:site_name content=道具日和>`, "最新の機種を比較してみた"},
		{"Japanese, a subtitle", "", "道具日和の一年：直して使う", `<meta property=og:site_name content=道具日和>`, "道具日和の一年：直して使う"},
		{"Korean, the site first", "", "대전일보 모바일 :: 성금 기탁 줄 잇는다", `<meta property=og:site_name content=대전일보><h2>성금 기탁 줄 잇는다</h2>`, "성금 기탁 줄 잇는다"},
		{"Hindi", "", "सर्दियों में रोटी कैसे बनाएं | रसोई", `<a href="/">रसोई</a>`, "सर्दियों में रोटी कैसे बनाएं"},
		{"Thai", "", "วิธีทำขนมปังที่บ้าน - ครัวไทย", `<a href="/">ครัวไทย</a>`, "วิธีทำขนมปังที่บ้าน"},
		{"Polish, section and site", "rp.pl", "Sejm zagłosował „za” - Polityka - rp.pl", `<h1>Sejm zagłosował „za”</h1>`, "Sejm zagłosował „za”"},
		{"two names", "ann.pixnet.net", "賞楓 (2) @ 安的家_藍天 :: 痞客邦 PIXNET ::", `<meta property=og:site_name content="安的家_藍天"><h1>痞客邦 PIXNET</h1>`, "賞楓 (2)"},
		{"the heading says the rest", "", "Sauerteig für Eilige | Rezepte", `<h1>Sauerteig für Eilige</h1>`, "Sauerteig für Eilige"},

		{"between guillemets", "", "Le pain qui attend « Ofen", `<meta name=publisher content=Ofen>`, "Le pain qui attend"},

		{"guillemets are quotes", "", "Le pain qui attend : « Tout réapprendre »", `<h1>Le pain qui attend</h1>`, "Le pain qui attend : « Tout réapprendre »"},
		{"no witness", "", "Bread that waits | Ofen", "", "Bread that waits | Ofen"},
		{"a subtitle", "", "Bread that waits – a book", `<h1>Bread that waits</h1>`, "Bread that waits – a book"},
		{"a subtitle after a colon", "", "Bread that waits: Ofen", `<meta name=publisher content=Ofen><h1>Bread that waits</h1>`, "Bread that waits: Ofen"},
		{"a short heading", "", "Install | Guide", `<h1>Guide</h1><h2>Install</h2>`, "Install | Guide"},
		{"the heading is the tail", "", "Baking with steam | Bread", `<h1>Bread</h1>`, "Baking with steam | Bread"},
		{"the link of another site", "", "How to log in | Facebook", `<a href="https://www.facebook.com/">Facebook</a>`, "How to log in | Facebook"},
		{"a link to another page", "", "How to knead | Bread", `<a href="/bread">Bread</a>`, "How to knead | Bread"},
		{"a word with hyphens", "acme.example", "How to be well-acme", "", "How to be well-acme"},
		{"a name with a bar", "acme.example", "snake_case in acme_tools", `<h1>snake_case in acme</h1>`, "snake_case in acme_tools"},
		{"nothing but the site", "acme.example", "Acme", `<h1>Acme</h1>`, "Acme"},
		{"the site and its motto", "acme.example", "Acme | All the news that fits", `<h1>Acme</h1>`, "Acme | All the news that fits"},
		{"the site first, its heading another", "acme.example", "Acme - Bread that waits", `<h1>Bread</h1>`, "Acme - Bread that waits"},
		{"separators alone", "acme.example", " - | - ", "", "- | -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &url.URL{Scheme: "https", Host: c.host, Path: "/a/page"}
			if c.host == "" {
				u.Host = "h.example"
			}
			p := page.Parse([]byte("<title>"+html.EscapeString(c.title)+"</title>"+c.body), "text/html; charset=utf-8", u)
			if got := p.Details.Title; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestParse_cardTitle_realPages reads real pages from their own host and from another one, as somebody does who tries a
// file: both give the title that a card should have, which is nearly always the page's own.
func TestParse_cardTitle_realPages(t *testing.T) {
	shorter := map[string]string{
		"aktualne": "West Ham hrozí gigantům, okouzlil i Linekera. Součka je snadné přehlédnout",
		"belfusto": "Ergowear Ropa interior masculina ergonómica",
		"bfi":      "The Big Tech Threat?",
		"bukvy": "Poroshenko Accuses Authorities of Falsifying Sanctions Decree: " +
			"Supreme Court Demands Evidence from the Government",
		"daejonilbo-ko":  "코로나19 극복 성금 기탁 줄 잇는다",
		"economic-times": "HackerRank launches job search platform HackerRank Jobs",
		"github":         "microlinkhq/mql",
		"pixnet":         "新竹尖石_美樹營地賞楓 (2)",
		"qq":             "DeepMind新电脑已可利用记忆自学 人工智能迈上新台阶",
		"unfurl-eucjp": "Shopping is Entertainment! ： " +
			"インターネット最大級の通信販売、通販オンラインショッピングコミュニティ",
		"wikipedia":      "Bob Dylan",
		"www.qdaily.com": "这个约会软件，想用你和对方的相似好恶来帮你找对象",
	}
	for _, c := range testenv.Pages(t) {
		want, ok := shorter[c.Name]
		if !ok {
			want = cleantext.Clean(c.Title, cleantext.MaxTitle)
		}
		for _, u := range []*url.URL{c.Address, {Scheme: "http", Host: "127.0.0.1:8099", Path: "/" + c.Name}} {
			if c.Name == "github" && u != c.Address { // only its address tells the repository
				continue
			}
			if got := page.Parse(c.Body, c.ContentType, u).Details.Title; got != want {
				t.Errorf("%s from %s:\n got %q\nwant %q", c.Name, u.Host, got, want)
			}
		}
	}
}

// TestParse_cardTitle_ofHomePages is what the site is, without its name, and its files' that of forges.
func TestParse_cardTitle_ofHomePages(t *testing.T) {
	for _, c := range []struct{ at, title, body, want string }{
		{"https://h.example/", "Ofen | Bread that waits", `<meta name=publisher content=Ofen>`, "Bread that waits"},
		{"https://h.example/", "Ofen | Bread", `<meta name=publisher content=Ofen>`, "Ofen | Bread"},
		{"https://h.example/", "Bread that waits | Flour", `<meta name=publisher content=Ofen>`, "Bread that waits | Flour"},
		{"https://github.com/o/r/blob/main/a/b.go", "r/a/b.go at main · o/r", "", "r/a/b.go"},
		{"https://github.com/o/r/issues/1", "Look at main · Issue #1 · o/r", "", "Look at main · Issue #1 · o/r"},
	} {
		u, err := url.Parse(c.at)
		if err != nil {
			t.Fatal(err)
		}
		p := page.Parse([]byte("<title>"+html.EscapeString(c.title)+"</title>"+c.body), "text/html; charset=utf-8", u)
		if got := p.Details.Title; got != c.want {
			t.Errorf("%s, %s: got %q, want %q", c.at, c.title, got, c.want)
		}
	}
}
