package text_test

import (
	"testing"

	"masthead/render/text"
)

// TestFit_eachStatementOfWhatIsNeverParted has, for each statement about words that belong together, titles in which it
// matters: no line ends at a ~ (a space) or a · (no space), in boxes of many widths.
func TestFit_eachStatementOfWhatIsNeverParted(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ statement, lang, title string }{
		{"number and unit", "en", "The phone that charges in 11~min and runs a week"},
		{"number and unit", "ru", "Как мы сэкономили 48~ГБ памяти и ничего не сломали"},
		{"number and unit", "fr", "Une île de 12~km² où personne ne ferme sa porte"},
		{"currency and number", "de", "Ein Fahrrad für €~890 und wer es dafür bauen kann"},
		{"currency and number", "nb", "En hytte til 2,4~kr om dagen og naboer på kjøpet"},
		{"price range", "en", "Tickets for $~19–24 and a seat in the very last row"},
		{"number and noun", "en", "What you can learn from 40~letters to an old friend"},
		{"number and noun", "es", "Qué aprendimos al leer 300~cartas de una sola familia"},
		{"title and name", "en", "The evening that Mrs~Dalloway bought flowers herself"},
		{"title and name", "de", "Ein langes Gespräch mit Prof.~Lindner über alte Karten"},
		{"title and name", "es", "Una tarde de verano con el Sr.~Ibáñez y su violín"},
		{"initials and surname", "en", "The unfinished letters that E. B.~White kept in a barn"},
		{"initials and surname", "ru", "Что написал о дороге А. С.~Пушкин в последний год"},
		{"name and company", "en", "How Harbor~Ltd. came to own half of the old town"},
		{"name and company", "fr", "Pourquoi Lumière~S.A. quitte la ville pour la côte"},
		{"name and generation", "en", "The long road home of Sammy Davis~Jr. and his band"},
		{"number of a thing", "en", "Everything that went wrong in Vol.~7 of the journal"},
		{"number of a thing", "fr", "Le cahier n°~12 que la poste a rendu trente ans après"},
		{"operator and terms", "en", "The short reason that x~×~y is never the same as luck"},
		{"operator and terms", "de", "Warum bei uns Kaffee~=~Kuchen gilt und das jeden Tag"},
		{"fraction", "en", "An elementary proof that the sum of squares is π²/·6"},
		{"fraction", "de", "Mit 120 km/·h durch die Nacht und was danach geschah"},
		{"opening bracket and word", "en", "The garden behind the school (·and who waters it now)"},
		{"opening bracket and word", "fr", "Le jardin derrière l’école (·et qui l’arrose depuis)"},
		{"day and month", "en", "The lights of the whole harbor go out on 3~October"},
		{"day and month", "pl", "Wielki koncert na rynku już 14~maja i wstęp wolny"},
		{"em dash and the word before", "en", "One small harbor~— and the storm that nobody saw coming"},
		{"em dash and the word before", "ru", "Один маленький порт~— и буря, которой никто не ждал"},
		{"Korean numeral and counter", "ko", "작은 서점에서 고른 올해의 책 세~권 그리고 그 이유"},
		{"Korean numeral and counter", "ko", "새로운 도시에서 보낸 스무~날 동안의 조용한 산책 기록"},
		{"Thai number and classifier", "th", "เราเดินทางด้วยรถไฟสาย·ใต้เป็นเวลาสาม~วันและพบผู้คนมากมาย"},
		{"Arabic word that governs a number", "ar", "بعد انتظار طويل يعود القطار إلى المدينة في نحو~20 محطة"},
		{"Arabic word that governs a number", "ar", "ارتفع عدد القراء في المكتبة القديمة بنسبة~35 خلال عام"},
		{"katakana", "ja", "古い港町の小さなイ·ン·タ·ー·ネ·ッ·トカフェの一日"},
		{"katakana", "ja", "静かなレ·ス·ト·ラ·ンで食べる秋の一皿と音楽"},
		{"Japanese counter", "ja", "雨の京都を歩く2·日間で出会った10·人の職人たち"},
		{"Latin letters", "zh-Hans", "我们的 Post·gres 备份在夜里失败以后学到的事"},
		{"Chinese counter", "zh-Hans", "他用20·年走遍了全国的每一座老火车站"},
		{"rare Chinese word", "zh-Hans", "这个约会软件想用你和对方的相似好·恶来帮你"},
		{"rare Chinese word", "zh-Hans", "山里的人用芦·蒿和清水做一顿安静的早饭"},
	} {
		t.Run(c.statement+" "+c.lang, func(t *testing.T) { parts(t, e, c.lang, c.title) })
	}
}
