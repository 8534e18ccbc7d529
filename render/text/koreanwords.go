package text

import "strings"

// Words of Korean, see korean.go.
var (
	// koreanFinals are particles and endings of one syllable, which end a phrase.
	koreanFinals = "에를을은는이가와과도만로고며면다요까"
	// koreanEndings are longer ones, and endings whose last syllable ends many nouns.
	koreanEndings = strings.Fields(`하자 지자 되자 오자 나자 부터 에게 한테 보다 처럼 마다 조차 밖에 이나 거나 하게 지만 대로 이라 까지
		에서 면서 해서 아서 어서 라서 여서 워서 가서 와서
		서울서 부산서 대구서 인천서 광주서 대전서 울산서 제주서 미국서 중국서 일본서 한국서 북한서 더니 려고 려니 듯이`)
	// koreanNounEnds are syllables that end nouns and their particles, and hardly a verb before its noun.
	koreanNounEnds = "은을를산전안단관권연현문편반신민언건천론년분변환완순근"
	// koreanNouns end like a particle, but aren't followed by one here.
	koreanNouns = wordSet(`가이 강도 강의 거의 건의 결과 결의 경고 경로 고가 고도 고이 공고 광고 교과 국가 기도 기로 길이 난도 넓이 놀이 높이
		논의 농도 단가 담도 대가 대로 대만 도로 도서 독도 동의 라면 매도 문서 문의 물가 반도 밀도 박이 반면 보고 보도 부서 불만 사고 사과 사이
		상가 상이 선고 선도 성과 속도 수도 순서 습도 시가 시도 신고 신도 심도 심의 아이 안이 압도 어린이 오이 온도 외과 요가 용서 우려도 원가
		유가 유도 의도 의사 이도 인가 인도 작가 장면 재고 저가 전도 전문가 정도 정의 제도 종이 주가 주도 주의 중고 지도 직면 진도 질서 차이
		참가 참고 창고 창의 철도 청와 초과 최고 추가 측면 치과 태도 통과 통로 평가 편의 표면 한도 합의 해고 해로 허가 협의 화가 화면 환경
		회로 회의 효과 휴가 학과 내과 증가 진로 후면 정면 국면 가면 수면 지면 단서 각서 보고서 계약서 부과 통보`)
	// koreanVerbs are what verbs end in before a noun, in two syllables.
	koreanVerbs = wordSet(`하는 되는 있는 없는 이는 묻는 주는 쓰는 먹는 읽는 드는 받는 찾는 꾸는 지는 오는`)
	// koreanPast are verbs before a noun that end like a topic: put in, eaten, read, received.
	koreanPast = wordSet(`넣은 먹은 읽은 받은 찾은 얻은 잃은 담은 닮은 남은 좋은 많은 작은 높은 낮은 젊은 늙은 맑은 밝은 짧은 깊은 같은 앉은 웃은 죽은 입은
		신은 씻은 볶은 묶은 녹은 굳은 익은 숨은 쌓은 놓은 끓은 뽑은 잡은 접은 꼽은 심은 품은 걸은 믿은 쫓은 맞은 묻은 닫은 열은 막은 쌓은 꺾은 엮은 벗은 짊은 겪은`)
	// koreanLinks are verbs before another clause, which end in -아 or -어.
	koreanLinks = wordSet(`높아 낮아 많아 맡아 남아 막아 찾아 받아 쌓아 놓아 않아 넘어 늘어 줄어 이어 들어 만들어 있어 없어 열어 되어 걸어`)
	// koreanWays are nouns that need the verb before them: way, place, point, as far as.
	koreanWays = wordSet(`법 데 곳 점 만큼 대로`)
	// koreanFollowers say when, where or why, after a noun: within, during, after, before, between, among, thanks to.
	koreanFollowers = wordSet(`안에 만에 동안 이후 이후에 이전 이전에 뒤 뒤에 후 후에 전에 중 중에 사이 사이에 가운데 덕분 덕분에 속 속에`)
	// koreanAdverbs belong to the next word: often, surely, well, more, most, very, too, newly, only, just, again.
	koreanAdverbs = wordSet(`자주 꼭 잘 못 안 더 덜 가장 매우 아주 너무 새로 오직 딱 더욱 훨씬 가장 제일 다시 또 곧 늘 왜`)
	// koreanSeconds are second words of fixed terms and names, by the first: the Nobel prizes, the golden ratio, a cold
	// start, …
	koreanSeconds = map[string]string{
		"노벨": "문학상 평화상 물리학상 화학상 경제학상 생리의학상", "황금": "비율 연휴 시간대", "콜드": "스타트", "그림의": "떡 떡이다",
		"인공": "지능", "기후": "변화 위기", "한": "달 해", "최저": "임금 시급", "월드": "컵 투어", "원": "플러스",
		"기준": "금리", "전세": "사기 대출", "소셜": "미디어", "머신": "러닝", "딥": "러닝",
		"오픈": "소스", "스타트": "업", "주식": "시장", "부동산": "시장", "남북": "정상회담", "한미": "정상회담", "미중": "정상회담",
		"국정": "감사", "국민": "연금", "건강": "보험", "출산": "휴가", "육아": "휴직", "대학": "입시", "수학": "여행",
	}
)
