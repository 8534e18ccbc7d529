// Shows another snippet without loading the page, and remembers which one was used last.
(() => {
  const section = document.querySelector('.use')
  if (!section) return
  const show = async (name, asked) => {
    const link = section.querySelector(`[data-use="${CSS.escape(name)}"]`)
    if (!link || link.hasAttribute('aria-current')) return
    const page = new URL(location)
    page.searchParams.set('for', name)
    try {
      const answer = await fetch(page)
      const text = (await answer.text()).replace(/<style[^]*?<\/style>/g, '') // its policy is that of another response
      const fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('.use')
      section.replaceChildren(...fresh.childNodes)
    } catch {
      if (asked) location = link.href
      return
    }
    if (!asked) return
    history.replaceState(null, '', page)
    try { localStorage.setItem('snippet', name) } catch {}
    const now = section.querySelector(asked)
    now?.focus({ preventScroll: true })
  }
  section.addEventListener('click', event => {
    const link = event.target.closest('[data-use]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    show(link.dataset.use, '.names [aria-current]')
  })
  section.addEventListener('change', event => { if (event.target.id === 'for') show(event.target.value, '#for') })
  try {
    if (!new URLSearchParams(location.search).has('for')) show(localStorage.getItem('snippet') || '')
  } catch {}
})();
