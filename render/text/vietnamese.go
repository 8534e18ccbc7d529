package text

import (
	"strings"
	"sync"
	"unicode"
)

// vietnameseWords are common Vietnamese words of two syllables, which are written with a space. They are far from
// complete: a word that isn't found may be parted, as all were before.
const vietnameseWords = `
	biến đổi,bài viết,báo cáo,bóng đá,bảo hiểm,bảo mật,bảo vệ,bắt đầu,bệnh viện,bộ phận,cha mẹ,chi phí,chi tiết,
	chia sẻ,chiến lược,chuyên gia,chuyển đổi,chính phủ,chính sách,chương trình,chất lượng,chế độ,con người,
	cuộc sống,cà phê,cá nhân,câu chuyện,công cụ,công nghiệp,công nghệ,công thức,công trình,công ty,công việc,cơ bản,
	cơ hội,cạnh tranh,cải thiện,cảm xúc,cộng đồng,cửa hàng,di chuyển,di động,doanh nghiệp,doanh thu,du khách,
	du lịch,dễ dàng,dịch vụ,dữ liệu,dự án,gia đình,giá trị,giáo dục,giáo viên,giải pháp,giảm giá,giới thiệu,
	giới trẻ,hiện đại,hiệu quả,hoạt động,hà nội,hàng hóa,hình ảnh,hòa bình,hướng dẫn,hạnh phúc,hệ thống,học sinh,
	học tập,hỗ trợ,hội an,hội nghị,hợp tác,hợp đồng,khoa học,khách hàng,khách sạn,khám phá,khó khăn,không gian,
	khởi nghiệp,kinh doanh,kinh nghiệm,kinh tế,kiến thức,kiến trúc,kế hoạch,kết nối,kết quả,kỹ năng,kỹ thuật,
	lao động,lập trình,lịch sử,lợi ích,lựa chọn,miền bắc,miền nam,miền trung,mua sắm,máy bay,máy tính,máy ảnh,
	môi trường,mùa hè,mùa thu,mùa xuân,mùa đông,mặt trăng,mặt trời,nghiên cứu,nghề nghiệp,nghệ sĩ,nghệ thuật,
	nguyên nhân,ngân hàng,ngân sách,ngôn ngữ,người dùng,người mới,nhiếp ảnh,nhà hàng,nhà máy,nhà nước,nhân viên,
	nhạc sĩ,nông dân,nông nghiệp,nông thôn,năng lượng,nấu ăn,nền tảng,phong cách,phát hành,phát triển,phòng ngừa,
	phương pháp,phần mềm,phỏng vấn,phụ nữ,quan trọng,quy trình,quá trình,quản lý,quảng cáo,quốc gia,quốc tế,
	sinh hoạt,sinh viên,sáng tạo,sân bay,sản phẩm,sản xuất,sức khỏe,sử dụng,sự kiện,thay đổi,thiên nhiên,thiết bị,
	thiết kế,thành công,thành phố,thông minh,thông tin,thương hiệu,thương mại,thế giới,thị trường,thời gian,
	thời tiết,thời trang,thực hiện,thực hành,thực phẩm,tiếng anh,tiếng việt,tiết kiệm,toàn cầu,triển khai,triển lãm,
	trung quốc,trung tâm,truyền thống,trách nhiệm,trò chơi,trường học,trải nghiệm,trẻ em,tuyển dụng,tài chính,
	tài khoản,tài liệu,tác giả,tình yêu,tăng trưởng,tương lai,tập trung,tổ chức,tự nhiên,tự động,việc làm,việt nam,
	văn hóa,văn học,văn phòng,vấn đề,xe máy,xe đạp,xu hướng,xây dựng,xã hội,yêu cầu,ý nghĩa,ý tưởng,điều kiện,
	điện thoại,điện tử,đào tạo,đánh giá,đường phố,đại học,đất nước,đầu tiên,đầu tư,đầy đủ,đặc biệt,địa chỉ,
	địa phương,đối tác,đội ngũ,động vật,ứng dụng`

// vietnameseSet returns vietnameseWords as a set, created when a Vietnamese text is first wrapped.
var vietnameseSet = sync.OnceValue(func() map[string]bool {
	set := make(map[string]bool)
	for word := range strings.SplitSeq(vietnameseWords, ",") {
		set[strings.TrimSpace(word)] = true
	}
	return set
})

// vietnameseWord reports whether a syllable and the one at next are a Vietnamese word.
func (p *paragraph) vietnameseWord(syllable []rune, next int) bool {
	if primaryLanguage(p.style.Lang) != "vi" {
		return false
	}
	end := next
	for end < len(p.runes) && unicode.In(p.runes[end], unicode.L, unicode.M) {
		end++
	}
	return vietnameseSet()[strings.ToLower(string(syllable)+" "+string(p.runes[next:end]))]
}
