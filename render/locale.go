package render

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// locale is how a language writes a day in its long form and the time that a text takes to read.
//
// In date, D is the day, M the month's name, N its number and Y the year. In reading, # is the number of minutes;
// languages that do not shorten the word for a minute have forms of it in exact, and the last of these is for 11 and
// more. Source: Unicode CLDR, dateFormats/long and plurals, with the calendar of the Common Era everywhere but for
// Thai.
type locale struct {
	date, months, reading string
	exact                 map[int]string // by number of minutes
	era                   int            // added to the year
}

// many is the key in exact for 11 minutes and more.
const many = 11

var locales = map[string]locale{
	"en":    {date: "D M Y", months: "January February March April May June July August September October November December", reading: "# min read"},
	"en-us": {date: "M D, Y", months: "January February March April May June July August September October November December", reading: "# min read"},
	"de":    {date: "D. M Y", months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember", reading: "# Min. Lesezeit"},
	"fr":    {date: "D M Y", months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre", reading: "# min de lecture"},
	"es":    {date: "D de M de Y", months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", reading: "# min de lectura"},
	"pt":    {date: "D de M de Y", months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro", reading: "# min de leitura"},
	"it":    {date: "D M Y", months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre", reading: "# min di lettura"},
	"nl":    {date: "D M Y", months: "januari februari maart april mei juni juli augustus september oktober november december", reading: "# min leestijd"},
	"sv":    {date: "D M Y", months: "januari februari mars april maj juni juli augusti september oktober november december", reading: "# min läsning"},
	"da":    {date: "D. M Y", months: "januar februar marts april maj juni juli august september oktober november december", reading: "# min. læsning"},
	"nb":    {date: "D. M Y", months: "januar februar mars april mai juni juli august september oktober november desember", reading: "# min lesing"},
	"fi":    {date: "D. M Y", months: "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta", reading: "# min lukuaika"},
	"pl":    {date: "D M Y", months: "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia", reading: "# min czytania"},
	"cs":    {date: "D. M Y", months: "ledna února března dubna května června července srpna září října listopadu prosince", reading: "# min čtení"},
	"sk":    {date: "D. M Y", months: "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra", reading: "# min čítania"},
	"hu":    {date: "Y. M D.", months: "január február március április május június július augusztus szeptember október november december", reading: "# perc olvasás"},
	"ro":    {date: "D M Y", months: "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie", reading: "# min de citit"},
	"hr":    {date: "D. M Y.", months: "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca", reading: "# min čitanja"},
	"ru":    {date: "D M Y г.", months: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря", reading: "# мин чтения"},
	"uk":    {date: "D M Y р.", months: "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня", reading: "# хв читання"},
	"bg":    {date: "D M Y г.", months: "януари февруари март април май юни юли август септември октомври ноември декември", reading: "# мин четене"},
	"el":    {date: "D M Y", months: "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου", reading: "# λεπ. ανάγνωσης"},
	"tr":    {date: "D M Y", months: "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık", reading: "# dk okuma"},
	"vi":    {date: "D tháng N, Y", reading: "# phút đọc"},
	"id":    {date: "D M Y", months: "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember", reading: "# menit baca"},
	"ar": {date: "D M Y", months: "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر", reading: "# دقائق قراءة",
		exact: map[int]string{1: "دقيقة قراءة", 2: "دقيقتا قراءة", many: "# دقيقة قراءة"}},
	"fa": {date: "D M Y", months: "ژانویهٔ فوریهٔ مارس آوریل مهٔ ژوئن ژوئیهٔ اوت سپتامبر اکتبر نوامبر دسامبر", reading: "# دقیقه مطالعه"},
	"ur": {date: "D M، Y", months: "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر", reading: "# منٹ"},
	"he": {date: "D בM Y", months: "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר", reading: "# דקות קריאה", exact: map[int]string{1: "דקת קריאה"}},
	"hi": {date: "D M Y", months: "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्तूबर नवंबर दिसंबर", reading: "# मिनट"},
	"th": {date: "D M Y", months: "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม", reading: "อ่าน # นาที", era: 543},
	"zh": {date: "Y年N月D日", reading: "#分钟阅读"},
	"ja": {date: "Y年N月D日", reading: "#分で読めます"},
	"ko": {date: "Y년 N월 D일", reading: "#분 읽기"},
}

// aliases are languages that are written like another one here.
var aliases = map[string]string{"no": "nb", "nn": "nb", "iw": "he", "in": "id", "bs": "hr"}

// localeOf returns the locale of a BCP 47 tag. ok is false for a language that is not listed; a page without one
// counts as English.
func localeOf(lang string) (l locale, ok bool) {
	lang = cmp.Or(strings.ToLower(strings.ReplaceAll(lang, "_", "-")), "en")
	if l, ok = locales[lang]; ok {
		return l, true
	}
	if writesTraditional(lang) {
		return locale{date: locales["zh"].date, reading: "#分鐘閱讀"}, true
	}
	primary, _, _ := strings.Cut(lang, "-")
	if to := aliases[primary]; to != "" {
		primary = to
	}
	l, ok = locales[primary]
	return l, ok
}

// writesTraditional reports whether a language tag is one of Chinese in traditional characters.
func writesTraditional(lang string) bool {
	lang = strings.ToLower(strings.ReplaceAll(lang, "_", "-"))
	return strings.HasPrefix(lang, "zh-hant") || lang == "zh-tw" || lang == "zh-hk" || lang == "zh-mo"
}

// longDate writes a day as its language does: "12 March 2026", "12. März 2026". A language that is not listed gets
// 2026-03-12.
func longDate(t time.Time, lang string) string {
	l, ok := localeOf(lang)
	if !ok {
		return t.Format(time.DateOnly)
	}
	return l.write(l.date, t)
}

// withoutDay takes the day out of the form of a date, with what stands between it and the rest. What is left is read
// after the day, so that months keep the case that they have there.
var withoutDay = strings.NewReplacer("D de ", "", "D. ", "", " D.", "", " D일", "", "D日", "", " D,", "", "D ", "")

// monthAndYear writes what a date has beside its day, with the short name of the month in languages that have one:
// "Mar 2026". A language that is not listed gets 2026-03.
func monthAndYear(t time.Time, lang string) string {
	l, ok := localeOf(lang)
	if !ok {
		return t.Format("2006-01")
	}
	if short := shortMonths[primaryOf(lang)]; short != "" {
		return strings.Fields(short)[t.Month()-1] + " " + strconv.Itoa(t.Year())
	}
	return l.write(withoutDay.Replace(l.date), t)
}

// shortMonths are the names of months where there is little room. Source: Unicode CLDR, months/stand-alone/abbreviated.
var shortMonths = map[string]string{
	"en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
	"de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
	"fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
	"es": "ene feb mar abr may jun jul ago sept oct nov dic",
	"pt": "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.",
	"it": "gen feb mar apr mag giu lug ago set ott nov dic",
	"nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
	"sv": "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.",
	"da": "jan. feb. mar. apr. maj jun. jul. aug. sep. okt. nov. dec.",
	"nb": "jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des.",
	"pl": "sty lut mar kwi maj cze lip sie wrz paź lis gru",
	"cs": "led úno bře dub kvě čvn čvc srp zář říj lis pro",
	"ru": "янв. февр. март апр. май июнь июль авг. сент. окт. нояб. дек.",
	"uk": "січ. лют. бер. квіт. трав. черв. лип. серп. вер. жовт. лист. груд.",
	"tr": "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara",
}

// write fills in a form of a date.
func (l *locale) write(form string, t time.Time) string {
	month := ""
	if names := strings.Fields(l.months); len(names) == 12 {
		month = names[t.Month()-1]
	}
	var b strings.Builder
	for _, c := range form {
		switch c {
		case 'D':
			b.WriteString(strconv.Itoa(t.Day()))
		case 'M':
			b.WriteString(month)
		case 'N':
			b.WriteString(strconv.Itoa(int(t.Month())))
		case 'Y':
			b.WriteString(strconv.Itoa(t.Year() + l.era))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// readingTime writes how long a text takes to read, in the page's language: "8 min read".
func readingTime(minutes int, lang string) string {
	l, ok := localeOf(lang)
	if !ok {
		l.reading = "# min"
	}
	if form := l.exact[min(minutes, many)]; form != "" {
		l.reading = form
	}
	return strings.Replace(l.reading, "#", strconv.Itoa(minutes), 1)
}

// withoutYear takes the year out of the form of a date.
var withoutYear = strings.NewReplacer(" de Y", "", ", Y", "", "، Y", "", " Y г.", "", " Y р.", "", " Y.", "", " Y", "",
	"Y. ", "", "Y年", "", "Y년 ", "")

// period writes two days of different months, and their year once if it is the same: "30 July – 1 August 2027".
func period(from, to time.Time, lang string) string {
	begin, end := longDate(from, lang), longDate(to, lang)
	if l, ok := localeOf(lang); ok && from.Year() == to.Year() {
		if bare := withoutYear.Replace(l.date); strings.HasPrefix(l.date, "Y") {
			end = l.write(bare, to)
		} else {
			begin = l.write(bare, from)
		}
	}
	return begin + " – " + end
}
