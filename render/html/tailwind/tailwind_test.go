package tailwind_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"masthead/render/html/tailwind"
)

// The declarations are those of Tailwind CSS 4.3.5, with the values of its theme put in.
func TestSheet_utilities(t *testing.T) {
	for class, want := range map[string]string{
		"flex": "display:flex;", "hidden": "display:none;", "flex-1": "flex:1;", "flex-col": "flex-direction:column;",
		"p-4": "padding:1rem;", "px-2.5": "padding-left:0.625rem;padding-right:0.625rem;", "-mt-2": "margin-top:calc(0.5rem * -1);",
		"mx-auto": "margin-left:auto;margin-right:auto;", "w-1/2": "width:calc(1 / 2 * 100%);", "w-full": "width:100%;",
		"size-10": "width:2.5rem;height:2.5rem;", "max-w-2xl": "max-width:42rem;", "h-px": "height:1px;", "inset-0": "inset:0rem;",
		"-left-1/2": "left:calc(calc(1 / 2 * 100%) * -1);", "z-10": "z-index:10;", "text-[32px]": "font-size:32px;",
		"text-lg/7": "font-size:1.125rem;line-height:1.75rem;", "text-center": "text-align:center;",
		"text-white": "color:#fff;", "bg-red-500": "background-color:oklch(63.7% .237 25.331);",
		"bg-red-500/50":  "background-color:color-mix(in oklab, oklch(63.7% .237 25.331) 50%, transparent);",
		"bg-[#123]":      "background-color:#123;",
		"bg-(--accent)":  "background-color:var(--accent);",
		"text-(--muted)": "color:var(--muted);",
		"font-bold":      "font-weight:700;", "font-serif": "font-family:serif;", "font-[Inter]": "font-family:Inter;",
		"leading-tight": "--tw-leading:1.25;line-height:1.25;", "tracking-wide": "letter-spacing:0.025em;",
		"-tracking-[2px]": "letter-spacing:calc(2px * -1);", "rounded-full": "border-radius:9999px;", "rounded-lg": "border-radius:0.5rem;",
		"border": "border-style:solid;border-width:1px;", "border-t-2": "border-top-style:solid;border-top-width:2px;",
		"border-dashed": "border-style:dashed;", "border-blue-950": "border-color:oklch(28.2% .091 267.935);",
		"grid-cols-3": "grid-template-columns:repeat(3, minmax(0, 1fr));", "col-span-2": "grid-column:span 2 / span 2;",
		"gap-x-6": "column-gap:1.5rem;", "aspect-video": "aspect-ratio:16 / 9;", "opacity-75": "opacity:75%;", "rotate-12": "rotate:12deg;",
		"line-clamp-2": "overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;",
		"object-cover": "object-fit:cover;", "bg-[url(a_b.png)]": "background-image:url(a b.png);", "from-10%": "--tw-from-at:10%;",
		"truncate": "overflow:hidden;text-overflow:ellipsis;white-space:nowrap;", "text-balance": "text-wrap:balance;",
		"p-4!": "padding:1rem !important;", "!p-4": "padding:1rem !important;", "grid-cols-[1fr_2fr]": "grid-template-columns:1fr 2fr;",
	} {
		sheet, unknown := tailwind.Sheet([]string{class})
		if len(unknown) > 0 || !strings.Contains(sheet, "{"+want+"}") {
			t.Errorf("%s is %q, want %q", class, sheet, want)
		}
	}
}

func TestSheet_variantsAndOrder(t *testing.T) {
	classes := "lg:p-2 pl-1 md:p-8 p-4 dark:bg-black first:mt-0 before:w-4 max-sm:hidden p-4"
	sheet, unknown := tailwind.Sheet(strings.Fields(classes))
	if len(unknown) > 0 {
		t.Errorf("%v aren't known", unknown)
	}
	at := -1
	for _, part := range []string{
		`.p-4,[tw~="p-4"]{padding:1rem;}`, `.pl-1,`, `@media (min-width: 48rem){.md\:p-8,`, `@media (min-width: 64rem){.lg\:p-2,`,
	} {
		i := strings.Index(sheet, part)
		if i <= at {
			t.Errorf("%s isn't in its place in\n%s", part, sheet)
		}
		at = i
	}
	if strings.Count(sheet, "padding:1rem") != 1 {
		t.Error("a class that is there twice has two rules")
	}
}

func TestSheet_containers(t *testing.T) {
	for class, want := range map[string]string{
		"@container":           `{container-type:inline-size;}`,
		"@container-size/main": `{container-type:size;container-name:main;}`,
		"@md:p-2":              `@container (width >= 28rem){.\@md\:p-2,[tw~="@md:p-2"]{padding:0.5rem;}}`,
		"@max-md:p-2":          `@container (width < 28rem){`,
		"@[475.5px]/a:p-2":     `@container a (width >= 475.5px){`,
		"@max-[9rem]:p-2":      `@container (width < 9rem){`,
		"@3xs:@max-md:p-2":     `@container (width >= 16rem){@container (width < 28rem){`,
	} {
		if sheet, unknown := tailwind.Sheet([]string{class}); len(unknown) > 0 || !strings.Contains(sheet, want) {
			t.Errorf("%s is %q, want %q", class, sheet, want)
		}
	}
	sheet, _ := tailwind.Sheet(strings.Fields("@7xl:p-1 @sm:p-2 2xl:p-3 p-4"))
	if p := strings.Index; p(sheet, ".p-4,") > p(sheet, "96rem") || p(sheet, "96rem") > p(sheet, "24rem") ||
		p(sheet, "24rem") > p(sheet, "80rem") {
		t.Errorf("the order is\n%s", sheet)
	}
	for _, class := range []string{"@container/", "@container-x", "@container/a{}", "@:p-1", "@2md:p-1", "@[9vw]:p-1", "@md/1:p-1"} {
		if sheet, unknown := tailwind.Sheet([]string{class}); len(unknown) != 1 {
			t.Errorf("%q is %q", class, sheet)
		}
	}
}

func TestSheet_unknown(t *testing.T) {
	for _, class := range []string{
		"", "card", "p-", "p-x", "p-4x", "bg-red-501", "bg-[red;color:blue]", "bg-[url(x)}b{]", "w-1/0", "hover:p-4", "-", "[", "]",
		"text-[]", "m--1", "p-0.3", "bg-[</style>]", strings.Repeat("a", 300), "md:", ":p-4", "grid-cols-0", "content-['a']",
	} {
		if sheet, unknown := tailwind.Sheet([]string{class}); len(unknown) != 1 {
			t.Errorf("%q is %q", class, sheet)
		}
	}
	many := make([]string, 3000)
	for i := range many {
		many[i] = fmt.Sprintf("p-[%dpx]", i)
	}
	if _, unknown := tailwind.Sheet(many); len(unknown) != 1000 {
		t.Errorf("%d of 3000 classes are refused, want 1000", len(unknown))
	}
}

// TestSheet_docs holds that the published list has a class that is known for each utility.
func TestSheet_docs(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/html.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(docs), "## Utility classes")
	section, _, _ = strings.Cut(section, "\n## ")
	var classes []string
	for _, row := range regexp.MustCompile(`(?m)^\| [a-z]+ \|(.*)\|$`).FindAllStringSubmatch(section, -1) {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			classes = append(classes, strings.Fields(m[1])...)
		}
	}
	const least = 150
	if _, unknown := tailwind.Sheet(classes); len(unknown) > 0 || len(classes) < least {
		t.Errorf("of %d classes in docs/html.md, these aren't known: %v", len(classes), unknown)
	}
}

// FuzzSheet holds that a class can't add anything but declarations to a sheet.
func FuzzSheet(f *testing.F) {
	f.Add("bg-[url(x)] p-4 md:text-[1px] -m-[3%]")
	f.Add("from-[{}] !x via-(--a) \\ \"")
	f.Add("@container/a @md/a:p-1 @max-[9px]:m-1 @container-size/} @[1px]{:p-1")
	f.Fuzz(func(t *testing.T, classes string) {
		list := strings.Fields(classes)
		sheet, unknown := tailwind.Sheet(list)
		for line := range strings.Lines(sheet) {
			if strings.HasPrefix(line, "*") {
				continue
			}
			inside := strings.Count(line, "{")
			if !strings.HasSuffix(line, "}\n") || strings.Contains(line, "</") || inside == 0 {
				t.Errorf("%q gives %q", classes, line)
			}
		}
		if len(unknown) > len(list) {
			t.Errorf("%d classes of %d aren't known", len(unknown), len(list))
		}
	})
}
