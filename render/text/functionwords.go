package text

import (
	"strings"
	"sync"
	"unicode"
)

// functionWordLists are the words, by language, that aren't allowed before an ellipsis: articles, prepositions,
// conjunctions. The lists are deliberately limited to short and common words, and exclude words that can end a
// sentence.
var functionWordLists = map[string]string{
	"en": "a an the of or and to in for with on at by from as into onto than that is are was were be but nor so if " +
		"when while over under about between through without within via per your our my his her their its this " +
		"these those how why what which who after before since until because very any every",
	"de": "der die das den dem des ein eine einen einem einer eines und oder aber von vom zu zum zur in im ins an " +
		"am auf aus bei beim mit nach für über unter um durch ohne gegen vor als wie dass ist sind war sich nicht " +
		"sein seine ihr ihre seit bis weil wenn ob kein keine dieser diese dieses jeder jede jedes " +
		"seinem seinen seiner seines ihrem ihren ihrer ihres unser unsere welche welchem welchen welcher welches " +
		"während wegen trotz zwischen",
	"fr": "le la les l un une des du de d et ou mais à au aux en dans par pour sur sous avec sans chez vers que qu " +
		"qui dont où ce cet cette ces son sa ses leur leurs mon ma mes ton ta tes nos notre vos votre quel quelle quels " +
		"quelles entre selon comme contre depuis pendant est sont n s c j m t",
	"es": "el la los las un una unos unas de del y e o u pero a al en con por para sin sobre entre hasta desde que " +
		"como su sus es son se lo le no ni tras ante según contra tu tus mi mis cada " +
		"durante hacia bajo mediante este esta estos estas ese esa",
	"pt": "o a os as um uma uns umas de do da dos das e ou mas em no na nos nas num numa a ao à aos às com por pelo " +
		"pela para sem sobre entre até que como seu sua é são se",
	"it": "il lo la i gli le l un uno una di del dello della dei degli delle d e ed o ma a al allo alla ai agli " +
		"alle da dal dalla in nel nello nella nei con su sul sulla per tra fra che come è sono si non",
	"nl": "de het een van en of maar in op te aan met voor door bij naar uit om over onder tot als dat die is zijn " +
		"hun haar",
	"sv": "en ett den det de och eller men i på av till för med från om som att är var vid under över mellan utan",
	"da": "en et den det de og eller men i på af til for med fra om som at er var ved under over mellem uden",
	"nb": "en ei et den det de og eller men i på av til for med fra om som at er var ved under over mellom uten",
	"fi": "ja tai mutta sekä että on ei se kun jos kuin",
	"pl": "i oraz lub albo ale a w we z ze na do od po za pod nad przez przy dla bez o u że jak jest są nie " +
		"przed między podczas według wśród ku niż czy gdy lecz ten ta te tę tą tym tej tego tych",
	"cs": "a i nebo ale v ve z ze na do od po za pod nad přes při pro o u že jak je jsou se s k ke",
	"sk": "a i alebo ale v vo z zo na do od po za pod nad cez pri pre o u že ako je sú sa s k ku",
	"hu": "a az egy és vagy de hogy is nem",
	"ro": "un o și sau dar de din la în pe cu pentru prin fără despre că este sunt se a al ale",
	"hr": "i ili ali a u na do od po za pod nad kroz pri za o da kako je su se s k",
	"ru": "и или но а в во на с со к ко о об от до по за под над для без из у через при про между что как не это " +
		"перед после около против вместо среди кроме чтобы если этот эта эти этом этой этого этих из-за из-под",
	"uk": "і й та або але а в у на з із зі до від по за під над для без через при про між що як не це",
	"bg": "и или но а в във на с със към за от до по под над без през при между че как не е са се",
	"el": "ο η το οι τα του της των τον την και ή αλλά σε στο στη στην στον στα με από για ως προς χωρίς που ότι να " +
		"θα είναι δεν ένα μια ένας",
	"tr": "ve veya ile ama için bir bu şu da de ki gibi",
	"vi": "và hoặc của cho với trong trên dưới từ đến tại là các những một này khi để về mà thì bởi như ở",
	"id": "dan atau di ke dari untuk dengan pada yang oleh dalam ini itu",
	"ar": "و أو أم ثم في من إلى على عن مع ب ل ك أن إن ما " +
		"بلا كي لكي لأن بأن كأن هل بل وفق رغم إلا سوى لو إذا حين عندما " +
		"لا لم لن قد هذا هذه التي الذي الذين بين حتى " +
		"منذ كل بعض أي غير عند لدى حول ضد عبر دون خلال قبل بعد كما لكن أمام تحت فوق وسط عند ضمن بدون مثل",
	"fa": "و یا در از به با برای که را تا این آن بر",
	"hi": "और या कि जो व एवं तथा लेकिन एक इस उस हर",
	"he": "ו או של את על עם אל מ ב ל ה כי אם זה זו גם בין עד",
}

// functionWordSets returns functionWordLists as sets, created when a text is first cut: most cards never need them.
var functionWordSets = sync.OnceValue(func() map[string]map[string]bool {
	out := make(map[string]map[string]bool, len(functionWordLists))
	for lang, list := range functionWordLists {
		set := make(map[string]bool)
		for _, w := range strings.Fields(list) {
			set[w] = true
		}
		out[lang] = set
	}
	for alias, lang := range map[string]string{"no": "nb", "nn": "nb", "sr": "hr", "bs": "hr", "ms": "id"} {
		out[alias] = out[lang]
	}
	return out
})

// functionWords returns the set of a language; English is the default.
func functionWords(lang string) map[string]bool {
	if lang == "" {
		return functionWordSets()["en"]
	}
	return functionWordSets()[primaryLanguage(lang)]
}

// BeginsWithFunctionWord reports whether the first word of a text is an article, preposition, conjunction or the like
// of the language, as that of a clause is.
func BeginsWithFunctionWord(s, lang string) bool {
	word := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	return len(word) > 0 && functionWords(lang)[strings.ToLower(word[0])]
}
