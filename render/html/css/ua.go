package css

import (
	"sync"

	"masthead/render/html/css/media"
	"masthead/render/html/css/sheet"
)

// uaStyles are the default styles of elements, as in Chromium.
const uaStyles = `
head,style,script,template,title,meta,link,base,noscript,datalist,param,rp,area,map,source,track,dialog:not([open]),
audio,object,embed,[hidden]{display:none}
html,body,div,p,h1,h2,h3,h4,h5,h6,section,article,header,footer,main,nav,aside,address,blockquote,figure,figcaption,
form,fieldset,hr,dl,dt,dd,ul,ol,menu,dir,pre,center,details,summary,hgroup,search,optgroup,option,xmp,listing,
legend{display:block}
body{margin:8px}
p,blockquote,figure,dl,ul,ol,menu,dir,pre,xmp,listing{margin-top:1em;margin-bottom:1em}
blockquote,figure{margin-left:40px;margin-right:40px}
dd{margin-inline-start:40px}
ul,ol,menu,dir{padding-inline-start:40px}
ul ul,ul ol,ol ul,ol ol{margin-top:0;margin-bottom:0}
ul,menu,dir{list-style-type:disc}
ul ul,ol ul{list-style-type:circle}
ul ul ul,ol ul ul,ul ol ul,ol ol ul{list-style-type:square}
ol{list-style-type:decimal}
li,summary{display:list-item}
summary{list-style-type:none}
h1{font-size:2em;margin:.67em 0}
h2{font-size:1.5em;margin:.83em 0}
h3{font-size:1.17em;margin:1em 0}
h4{margin:1.33em 0}
h5{font-size:.83em;margin:1.67em 0}
h6{font-size:.67em;margin:2.33em 0}
h1,h2,h3,h4,h5,h6,strong,b,th{font-weight:bold}
h1,h2,h3,h4,h5,h6,strong,b{font-weight:bolder}
h1,h2,h3,h4,h5,h6{font-weight:bold}
i,em,cite,dfn,var,address{font-style:italic}
pre,code,kbd,samp,tt,xmp,listing{font-family:monospace}
pre,xmp,listing,textarea{white-space:pre}
textarea{white-space:pre-wrap}
small{font-size:smaller}
big{font-size:larger}
sub{vertical-align:sub;font-size:smaller}
sup{vertical-align:super;font-size:smaller}
u,ins{text-decoration:underline}
s,strike,del{text-decoration:line-through}
a:any-link{color:#0000ee;text-decoration:underline}
abbr[title]{text-decoration:underline dotted}
mark{background-color:#ff0;color:#000}
center{text-align:-webkit-center}
nobr{white-space:nowrap}
hr{border:1px solid;border-color:#808080 #eee #eee #808080;margin:.5em auto;color:#808080;overflow:hidden}
bdo{unicode-bidi:isolate-override}
q::before{content:open-quote}
q::after{content:close-quote}
table{display:table;border-spacing:2px;box-sizing:border-box;text-indent:0}
caption{display:table-caption;text-align:center}
tr{display:table-row}
thead,tbody,tfoot{display:table-row-group}
td,th{display:table-cell;padding:1px;vertical-align:middle}
th{text-align:center}
col,colgroup{display:table-column}
fieldset{border:2px groove #c0c0c0;margin:0 2px;padding:.35em .75em .625em}
button,input,select,textarea,meter,progress{display:inline-block;font:400 13.3333px sans-serif;color:#000}
button{padding:1px 6px;border:2px outset #000;background:#efefef;text-align:center;box-sizing:border-box}
input,textarea,select{border:2px inset #767676;background:#fff}
ruby{display:inline}
rt{display:inline;font-size:50%}
bdi,output{unicode-bidi:isolate}
bdo{unicode-bidi:bidi-override}
img,svg,video,canvas,iframe{display:inline}
svg{overflow:hidden}
video,canvas,iframe,picture{display:inline-block}
picture{display:inline}
`

// uaSheet is parsed once.
var uaSheet = sync.OnceValue(func() *sheet.Sheet {
	s := NewSheet()
	s.Parse(uaStyles, 1, 1)
	return s
})

var uaIndex = sync.OnceValue(func() *sheet.Index {
	return sheet.NewIndex(uaSheet().Rules, media.Viewport{Width: 1200, Height: 630})
})
