package render

import (
	"strconv"
	"strings"
	"time"

	"masthead/render/template/kit"
)

// eventWords are what a language calls the days of the week, from Sunday on, and the state of an event. Languages that
// aren't listed show no weekday, and the words in English. Source: Unicode CLDR, days/stand-alone.
var eventWords = map[string]struct{ days, online, cancelled, postponed string }{
	"en":      {"Sunday Monday Tuesday Wednesday Thursday Friday Saturday", "Online", "Cancelled", "Postponed"},
	"de":      {"Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", "Online", "Abgesagt", "Verschoben"},
	"fr":      {"dimanche lundi mardi mercredi jeudi vendredi samedi", "En ligne", "Annulé", "Reporté"},
	"es":      {"domingo lunes martes miércoles jueves viernes sábado", "En línea", "Cancelado", "Aplazado"},
	"pt":      {"domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado", "Online", "Cancelado", "Adiado"},
	"it":      {"domenica lunedì martedì mercoledì giovedì venerdì sabato", "Online", "Annullato", "Rinviato"},
	"nl":      {"zondag maandag dinsdag woensdag donderdag vrijdag zaterdag", "Online", "Geannuleerd", "Uitgesteld"},
	"sv":      {"söndag måndag tisdag onsdag torsdag fredag lördag", "Online", "Inställt", "Uppskjutet"},
	"da":      {"søndag mandag tirsdag onsdag torsdag fredag lørdag", "Online", "Aflyst", "Udsat"},
	"nb":      {"søndag mandag tirsdag onsdag torsdag fredag lørdag", "På nett", "Avlyst", "Utsatt"},
	"pl":      {"niedziela poniedziałek wtorek środa czwartek piątek sobota", "Online", "Odwołane", "Przełożone"},
	"cs":      {"neděle pondělí úterý středa čtvrtek pátek sobota", "Online", "Zrušeno", "Odloženo"},
	"ru":      {"воскресенье понедельник вторник среда четверг пятница суббота", "Онлайн", "Отменено", "Перенесено"},
	"uk":      {"неділя понеділок вівторок середа четвер пʼятниця субота", "Онлайн", "Скасовано", "Перенесено"},
	"tr":      {"Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi", "Çevrimiçi", "İptal edildi", "Ertelendi"},
	"ar":      {"الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت", "عبر الإنترنت", "ملغى", "مؤجل"},
	"he":      {"ראשון שני שלישי רביעי חמישי שישי שבת", "מקוון", "בוטל", "נדחה"},
	"zh":      {"星期日 星期一 星期二 星期三 星期四 星期五 星期六", "线上", "已取消", "已延期"},
	"zh-hant": {"星期日 星期一 星期二 星期三 星期四 星期五 星期六", "線上", "已取消", "已延期"},
	"ja":      {"日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日", "オンライン", "中止", "延期"},
	"el":      {"Κυριακή Δευτέρα Τρίτη Τετάρτη Πέμπτη Παρασκευή Σάββατο", "Διαδικτυακά", "Ακυρώθηκε", "Αναβλήθηκε"},
	"fi":      {"sunnuntai maanantai tiistai keskiviikko torstai perjantai lauantai", "Verkossa", "Peruttu", "Siirretty"},
	"hi":      {"रविवार सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार", "ऑनलाइन", "रद्द", "स्थगित"},
	"th":      {"วันอาทิตย์ วันจันทร์ วันอังคาร วันพุธ วันพฤหัสบดี วันศุกร์ วันเสาร์", "ออนไลน์", "ยกเลิก", "เลื่อน"},
	"vi":      {"Chủ_Nhật Thứ_Hai Thứ_Ba Thứ_Tư Thứ_Năm Thứ_Sáu Thứ_Bảy", "Trực tuyến", "Đã hủy", "Hoãn lại"},
	"ko":      {"일요일 월요일 화요일 수요일 목요일 금요일 토요일", "온라인", "취소됨", "연기됨"},
}

// aloneMonths are the months of languages that write them in another form when they stand alone than in a date. Source:
// Unicode CLDR, months/stand-alone.
var aloneMonths = map[string]string{
	"ru": "Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь",
	"uk": "Січень Лютий Березень Квітень Травень Червень Липень Серпень Вересень Жовтень Листопад Грудень",
	"pl": "Styczeń Luty Marzec Kwiecień Maj Czerwiec Lipiec Sierpień Wrzesień Październik Listopad Grudzień",
	"cs": "Leden Únor Březen Duben Květen Červen Červenec Srpen Září Říjen Listopad Prosinec",
	"sk": "Január Február Marec Apríl Máj Jún Júl August September Október November December",
	"hr": "Siječanj Veljača Ožujak Travanj Svibanj Lipanj Srpanj Kolovoz Rujan Listopad Studeni Prosinac",
	"el": "Ιανουάριος Φεβρουάριος Μάρτιος Απρίλιος Μάιος Ιούνιος Ιούλιος Αύγουστος Σεπτέμβριος Οκτώβριος Νοέμβριος Δεκέμβριος",
	"fi": "Tammikuu Helmikuu Maaliskuu Huhtikuu Toukokuu Kesäkuu Heinäkuu Elokuu Syyskuu Lokakuu Marraskuu Joulukuu",
}

// numericMonths are further languages of this kind, in which a month is a number.
var numericMonths = setOf("be sr sl lt lv ca")

// monthForms are how languages write a month alone, where that isn't its name.
var monthForms = map[string]string{"zh": "N月", "ja": "N月", "ko": "N월", "vi": "Tháng N"}

// leaf returns what a calendar shows of an event.
func (e *Event) leaf(lang string) (leaf kit.Leaf) {
	if e.Start.IsZero() {
		return leaf
	}
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	if to := aliases[primary]; to != "" {
		primary = to
	}
	if primary == "" {
		primary = "en"
	}
	l, ok := localeOf(lang)
	start, end := e.Start, e.End
	leaf.Day = strconv.Itoa(start.Day())
	switch form := monthForms[primary]; {
	case form != "":
		leaf.Month = l.write(form, start)
	case aloneMonths[primary] != "":
		leaf.Month = strings.Fields(aloneMonths[primary])[start.Month()-1]
	case !ok || numericMonths[primary]:
		leaf.Month = start.Format("01.2006")
	default:
		leaf.Month = l.write("M", start)
	}
	if writesTraditional(lang) {
		primary = "zh-hant"
	}
	words, known := eventWords[primary]
	several := !end.IsZero() && !e.night() && (end.YearDay() != start.YearDay() || end.Year() != start.Year())
	switch sameMonth := end.Month() == start.Month() && end.Year() == start.Year(); {
	case several && sameMonth:
		leaf.Day += "–" + strconv.Itoa(end.Day())
		if known && end.Sub(start) < 7*24*time.Hour {
			leaf.Weekday = weekday(words.days, start) + " – " + weekday(words.days, end)
		}
	case several && ok && end.Year() == start.Year(): // until a day of another month
		bare := withoutYear.Replace(l.date)
		leaf.Weekday = l.write(bare, start) + " – " + l.write(bare, end)
	case several: // all of it would be too long
		leaf.Weekday = "– " + longDate(end, lang)
	case known:
		leaf.Weekday = weekday(words.days, start)
	}
	if !e.AllDay && (several && start.Hour()+start.Minute() > 0 || !several) {
		leaf.Time = start.Format("15:04")
		if !end.IsZero() && !several && end.After(start) {
			leaf.Time += " – " + end.Format("15:04")
		}
		if _, offset := start.Zone(); e.Online && offset == 0 && start.Location() != time.UTC {
			leaf.Time += " UTC" // people are everywhere; a page that names no zone is in time.UTC, too
		}
	}
	leaf.Place = shortText(e.Place, lang)
	if !known {
		words = eventWords["en"]
	}
	if e.Online && leaf.Place == "" {
		leaf.Place = words.online
	}
	leaf.Price = e.price(lang)
	leaf.Note = map[string]string{"cancelled": words.cancelled, "postponed": words.postponed}[e.Status]
	return leaf
}

// dates returns the days of an event in words, after what became of it, "" for none.
func (e *Event) dates(lang string, leaf *kit.Leaf) string {
	if leaf.Day == "" {
		return ""
	}
	days := longDate(e.Start, lang)
	l, ok := localeOf(lang)
	switch {
	case strings.Contains(leaf.Day, "–") && ok:
		days = l.write(strings.Replace(l.date, "D", leaf.Day, 1), e.Start)
	case strings.Contains(leaf.Day, "–"), strings.Contains(leaf.Weekday, "–"): // until a day of another month
		days = period(e.Start, e.End, lang)
	}
	if leaf.Note != "" {
		return leaf.Note + " · " + days
	}
	return days
}

// night reports whether an event ends in the night or the morning after it began: its day is that of its start.
func (e *Event) night() bool {
	const noon = 12
	return !e.AllDay && e.End.Sub(e.Start) < 24*time.Hour && e.Start.Hour() >= noon && e.End.Hour() < noon
}

// price returns what a ticket costs, "" if that is unknown or nothing.
func (e *Event) price(lang string) string {
	if strings.Trim(e.Price, "0.") == "" {
		return ""
	}
	price := money(e.Price, e.Currency, lang)
	if from := wordsFor(lang).from; e.HighPrice != "" && from != "" {
		return strings.Replace(from, "#", price, 1)
	}
	return price
}

// weekday returns the name of a day among those of a language, where _ is a space.
func weekday(days string, t time.Time) string {
	return strings.ReplaceAll(strings.Fields(days)[t.Weekday()], "_", noBreakSpace)
}
