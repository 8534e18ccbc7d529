package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/language"
)

// katakanaWords are the words that compounds in katakana are mostly made of. No dictionary with a license that suits
// has compounds and their parts; these are those of titles of shops, software, culture and the press.
var katakanaWords = wordSet(`アート アイコン アイス アイデア アカウント アクション アクセス アシスタント アップ アップデート アップロード アニメ アパート
	アプリ アプリケーション アーカイブ アーキテクチャ アルバム アルバイト アワード アンケート イベント イメージ インシデント インスタンス インストール
	インターネット インタビュー インターフェース インタラクティブ インテリア インフラ ウィンドウ ウェブ ウェディング エアコン エージェント エネルギー
	エディタ エディター エラー エリア エンジニア エンジニアリング エンジン エンターテインメント オーケストラ オーダー オーディオ オート オーナー
	オープン オフィス オブジェクト オペレーション オリジナル オリンピック オンライン カード カフェ カメラ カレー カレンダー ガイド ガーデン キッチン
	キャッシュ キャラクター キャリア キャンセル キャンプ キャンペーン キーボード ギフト ギャラリー クイズ クオリティ クエリ クラウド クラシック クラス
	クラスター クラブ クリエイター クリエイティブ クリスマス クリニック クレジット グッズ グラフ グラフィック グランド グループ グルメ グローバル
	ゲーム ゲスト ケーキ コース コーディング コード コーナー コーヒー コミック コミュニケーション コミュニティ コメント コラム コレクション コンサート
	コンサルティング コンテスト コンテナ コンテンツ コンパイラ コンパクト コンピュータ コンピューター コンピューティング コントロール コンポーネント
	サーバー サーバ サービス サイエンス サイクル サイト サイバー サイズ サッカー サポート サマー サミット サンプル シーズン シェア システム シナリオ
	シネマ シミュレーション ショー ショップ ショッピング ショールーム シリーズ シンポジウム ジャーナル ジャパン スーパー スイーツ スカイ スキル スキャン
	スクール スケジュール スケール スタート スタートアップ スタイル スタジオ スタッフ スタンド スタンダード ステージ ステーション ストア ストーリー
	ストリート ストリーミング ストレージ スペース スペシャル スポーツ スポット スマート スマートフォン セール セキュリティ セット セミナー センサー
	センター ソーシャル ソース ソフト ソフトウェア ソリューション タイトル タイプ タイム タイムライン タウン タスク タワー ダウンロード ダッシュボード
	チーム チェック チケット チップ チャット チャレンジ チャンネル チュートリアル ツアー ツール テーブル テーマ テキスト テクノロジー テスト テレビ
	テンプレート ディープ ディレクター デザイン デザイナー デジタル デスク デスクトップ デバイス デバッグ デビュー デプロイ データ データベース トーク
	トップ トピック トライアル トラブル トレーニング トレンド ドキュメント ドライブ ドライバー ドラマ ドリンク ナビゲーション ニュース ネット
	ネットワーク ネットワーキング ノート ノートブック ハード ハードウェア ハウス ハンドブック バージョン バスケットボール バックアップ バックエンド
	バッグ バッテリー バンキング パーク パーソナル パーティー パートナー パイプライン パスワード パソコン パターン パック パッケージ パネル
	パフォーマンス パワー ヒーロー ビジネス ビデオ ビュー ファースト ファイル ファイナンス ファクトリー ファッション ファミリー ファン ファンディング
	フィルター フェア フェスティバル フォーマット フォーム フォーラム フォト フォルダ フォント フリー フリーランス フレーム フレームワーク フロント
	フロントエンド フード ブック ブラウザ ブランド ブログ ブロック ブロックチェーン プライバシー プラグイン プラザ プラス プラットフォーム プラン プリント
	プレイヤー プレス プレゼント プレゼンテーション プレビュー プレミアム プログラム プログラミング プロジェクト プロセス プロダクト プロトコル
	プロファイル プロフィール プロモーション ヘルス ヘルスケア ベース ベスト ページ ホーム ホームページ ホール ホテル ボード ボール ボックス ポイント
	ポータル ポケット ポスター ポッドキャスト ポリシー マーケット マーケティング マイグレーション マガジン マシン マスター マップ マネー マネジメント
	マニュアル マラソン マルチ マンション ミーティング ミステリー ミュージアム ミュージカル ミュージック メーカー メール メタデータ メッセージ メディア
	メニュー メモリ メンテナンス メンバー モード モデル モデリング モバイル ユーザー ライブ ライブラリ ライター ライフ ライフスタイル ライン ランキング
	ランチ ランニング ラーニング ラーメン ラジオ リーグ リサイクル リスク リスト リソース リニューアル リビング リポジトリ リモート リリース リンク
	モジュール モビリティ ノイズ ヘッドホン イヤホン
	ワイヤレス ワクチン ウイルス ロボティクス アシスト
	キャンセリング アレルギー インフレ サブスク
	グリーン フルーツ キウイ ペットボトル キャップ サイエンティスト サイエンス ヨーグルト チョコレート クッキー ハンバーガー サンドイッチ
	サステナビリティ コンビニエンス マイナンバー ハイブリッド エコノミー カーボン ニュートラル リモコン パスポート パスキー パスワードレス
	マネージャー マネージャ アナリスト アーティスト デベロッパー コーディネーター カウンセリング カウンセラー トレーナー プランナー
	スペシャリスト コンサルタント フォトグラファー ライティング プロデューサー アナウンサー コメンテーター バイオリン ピアノ ギター
	オペラ バレエ ダンス ミックス リミックス ソング アルペン スノーボード スケート テニス バレーボール ラグビー ゴルフ ボクシング
	フィギュア トライアスロン チャンピオン チャンピオンシップ トーナメント ワールドカップ グランプリ ファイナル シェフ ベーカリー
	パティシエ ソムリエ カクテル ビール ウイスキー ミルク バター チーズ トマト サラダ スープ パスタ ピザ ステーキ ハンバーグ
	アボカド バナナ ストロベリー ブルーベリー マンゴー レモン オレンジ アップル シャンプー スキンケア メイク コスメ ネイル
	ジュエリー アクセサリー ネックレス スニーカー ジャケット コート シャツ パンツ スカート ワンピース スーツケース リュック
	ベッド ソファ カーテン キャンドル マグカップ タンブラー フライパン オーブン レンジ トースター エスプレッソ ドリッパー
	レース レシピ レジャー レストラン レスポンス レッスン レビュー レベル レポート レンダリング レンタル ロード ロードマップ ロケット ロボット ワーク
	ワークショップ セルフ メディケーション ワークフロー ワールド ワイン`)

// Lengths in katakana.
const (
	longestKatakana  = 11 // of katakanaWords
	shortestKatakana = 3  // of a part of a compound
	// shortestKanji is that of a part in Chinese characters: 生ビール and 歯ブラシ are one word.
	shortestKanji = 2
)

// katakanaSuffixes are characters that end a word in katakana: ニュージーランド産.
const katakanaSuffixes = "産製版系型用風人車社店部化性者的内中"

// findJoints sets joint of the breaks between two words of a Japanese compound: between words in katakana, and between
// one in katakana and one in Chinese characters.
func (p *paragraph) findJoints() {
	for i := 0; i < len(p.runes); {
		if !katakana(p.runes[i]) || p.runes[i] == '・' {
			i++
			if i < len(p.runes) && p.runes[i-1] == '・' && katakana(p.runes[i]) {
				p.setJoint(i, true)
			}
			continue
		}
		end := i + 1
		for end < len(p.runes) && katakana(p.runes[end]) && p.runes[end] != '・' {
			end++
		}
		if end-i >= shortestKatakana {
			p.setJoint(i, p.kanjiBefore(i))
			p.setJoint(end, p.kanjiAfter(end))
			p.partKatakana(i, min(end, i+maxWordRun))
		}
		i = end
	}
}

// shortKatakana reports whether a break before runes[i] leaves less than a part of a compound on one side.
func (p *paragraph) shortKatakana(i int) bool {
	start, end := i, i
	for start > 0 && i-start < shortestKatakana && katakana(p.runes[start-1]) {
		start--
	}
	for end < len(p.runes) && end-i < shortestKatakana && katakana(p.runes[end]) {
		end++
	}
	return min(i-start, end-i) < shortestKatakana
}

// jointPenalty returns the penalty of a break between two words of a Japanese compound.
func (p *paragraph) jointPenalty(b lineBreak, last, next rune) float64 {
	switch {
	case katakana(last) && katakana(next):
		return penaltyJoint
	case p.shortJoint(b.next):
		return penaltyShortJoint
	}
	return penaltyPhrase
}

// shortJoint reports whether runes[i] is between two words of one compound of a few letters, one in katakana and one in
// Chinese characters.
func (p *paragraph) shortJoint(i int) bool {
	const most = 7 // letters
	start, end := i, i
	for start > 0 && i-start <= most && sameKana(p.runes[start-1], p.runes[i-1]) {
		start--
	}
	for end < len(p.runes) && end-i <= most && sameKana(p.runes[end], p.runes[i]) {
		end++
	}
	return end-start <= most
}

// sameKana reports whether two letters are both katakana, or both Chinese characters.
func sameKana(a, b rune) bool { return katakana(a) && katakana(b) || isHan(a) && isHan(b) }

// kanjiBefore and kanjiAfter report whether a word of Chinese characters, and not just one, is beside runes[i].
func (p *paragraph) kanjiBefore(i int) bool {
	return i >= shortestKanji && p.kanjiIn(i-shortestKanji, i)
}

func (p *paragraph) kanjiAfter(i int) bool {
	return i+shortestKanji <= len(p.runes) && p.kanjiIn(i, i+shortestKanji)
}

func (p *paragraph) kanjiIn(from, to int) bool {
	for _, r := range p.runes[from:to] {
		if language.LookupScript(r) != language.Han {
			return false
		}
	}
	return true
}

// setJoint sets joint of the break before runes[i], if there is one inside a phrase.
func (p *paragraph) setJoint(i int, joint bool) {
	if !joint {
		return
	}
	for k := range p.breaks {
		if b := &p.breaks[k]; b.next == i {
			b.joint = b.weak
			return
		}
	}
}

// partKatakana sets joint of the breaks between the words of runes[start:end], which are katakana: the fewest known
// words that cover the most of it.
func (p *paragraph) partKatakana(start, end int) {
	n := end - start
	cost := make([]int32, n+1)
	long := make([]int, n+1) // of the known word at i; 0: none
	for i := n - 1; i >= 0; i-- {
		cost[i] = unknownCost + cost[i+1]
		for l := shortestKatakana; l <= min(longestKatakana, n-i); l++ {
			if wordCost+cost[i+l] <= cost[i] && katakanaWords[string(p.runes[start+i:start+i+l])] {
				cost[i], long[i] = wordCost+cost[i+l], l
			}
		}
	}
	unknown := 0 // letters of no known word before i
	for i := 0; i < n; {
		if long[i] == 0 {
			unknown++
			i++
			continue
		}
		next := i + long[i]
		p.setJoint(start+i, i > 0 && (unknown == 0 || unknown >= shortestKatakana))
		rest := next
		for rest < n && long[rest] == 0 {
			rest++
		}
		p.setJoint(start+next, rest < n && rest == next || rest-next >= shortestKatakana)
		unknown, i = 0, next
	}
}

// lone are Chinese characters that are often a word of their own.
var lone = leadsHan + clingsHan + trailingHan + breakAfterHan +
	"是无無没沒不也都就还還又再才只太已正刚剛快我你您他她它谁誰哪几幾本该該此其之而但若如则則即便却卻来來去说說看听聽做能会會可要想爱愛请請叫问問" +
	"吃喝买買卖賣找帮幫写寫读讀学學教开開关關走跑住坐打拿放送收上下里裡外中内內前后後间間时時点點年月日天人家大小新老旧舊多少高低长長短远遠近男女起"

// looseHan reports whether the Chinese characters on both sides of runes[i] are probably a rare word: neither is part
// of a common word, and neither is often a word of its own.
func (p *paragraph) looseHan(i int) bool {
	return p.han != japanese && p.loose(i-1) && p.loose(i)
}

// looseBefore reports whether Latin letters at runes[i] are probably of one name with such characters before
// them: 智谱AI.
func (p *paragraph) looseBefore(i int) bool {
	return i > 1 && unicode.IsUpper(p.runes[i]) && p.looseHan(i-1)
}

// loose reports whether runes[i] is a Chinese character outside of every common word, also one of those that
// [paragraph.findPhrases] found.
func (p *paragraph) loose(i int) bool {
	r := p.runes[i]
	return language.LookupScript(r) == language.Han && hanWords(shortestHanWord) != "" &&
		!(i > 0 && p.hanWordAt(i)) && !(i+1 < len(p.runes) && p.hanWordAt(i+1)) &&
		!(p.phrased && (p.insideWords[i] || p.insideWords[i+1])) && !p.hanSuffixAt(i) && !strings.ContainsRune(lone, r)
}

// maxTerm is the length of a short side of a fraction.
const maxTerm = 2

// insideFraction reports whether a break after the slash before runes[i] is inside a fraction or a unit, such as π²/6
// or km/h: the only slash of its word, with one or two characters on one of its sides.
func insideFraction(runes []rune, i int) bool {
	if runes[i-1] != '/' || i < 2 || blank(runes[i-2]) {
		return false
	}
	start, end := i-1, i
	for start > 0 && !blank(runes[start-1]) && runes[start-1] != '/' {
		start--
	}
	for end < len(runes) && !blank(runes[end]) && !strings.ContainsRune("/,;:!?", runes[end]) {
		end++
	}
	if start > 0 && runes[start-1] == '/' || end < len(runes) && runes[end] == '/' {
		return false
	}
	return i-1-start <= maxTerm || end-i <= maxTerm
}

// beginsSum reports whether a number at i is the first term of a sum: an operator follows it.
func (p *paragraph) beginsSum(i int) bool {
	for i < len(p.runes) && !blank(p.runes[i]) {
		i++
	}
	operator := string(p.wordAfter(min(i+1, len(p.runes))))
	return utf8.RuneCountInString(operator) == 1 && operators[operator]
}
