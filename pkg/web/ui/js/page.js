(() => {
  const root = document.documentElement, toast = document.getElementById('toast')
  const say = text => {
    toast.textContent = text
    clearTimeout(toast.clearing)
    toast.clearing = setTimeout(() => { toast.textContent = '' }, 4000)
  }

  // Theme: the button's label says what it does.
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches
  const buttons = document.querySelectorAll('[data-theme-button]')
  const name = () => buttons.forEach(b => {
    b.textContent = isDark() ? 'Light' : 'Dark'
    b.setAttribute('aria-label', b.textContent + ' theme')
  })
  const choose = () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    try { localStorage.setItem('theme', root.dataset.theme) } catch {}
    name()
  }
  buttons.forEach(b => b.addEventListener('click', choose))
  dark.addEventListener('change', name)
  name()

  // Copying: to the clipboard, or by selecting the text.
  const copy = async (text, element) => {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      if (element) getSelection().selectAllChildren(element)
      return false
    }
  }
  document.addEventListener('click', async event => {
    const link = event.target.closest('[data-copy-link]')
    if (link) return say(await copy(location.href.split('#')[0]) ? 'Link copied' : 'Copy the address of this page')
    const button = event.target.closest('[data-copy]')
    if (!button) return
    const pre = button.parentElement.querySelector('pre'), label = button.firstElementChild
    const was = button.dataset.was ??= label.textContent
    const done = await copy(pre.textContent, pre)
    label.textContent = done ? 'Copied' : 'Selected'
    say(done ? 'Copied' : 'Selected; press Ctrl or Command and C')
    clearTimeout(button.timer)
    button.timer = setTimeout(() => { label.textContent = was }, 2000)
  })

  // A scrolling row says which of its figures is visible.
  document.querySelectorAll('[data-count]').forEach(label => {
    const row = document.getElementById(label.dataset.count), figures = [...row.querySelectorAll('figure')]
    row.addEventListener('scroll', () => {
      const middle = row.getBoundingClientRect().left + row.clientWidth / 2
      const passed = figures.filter(f => f.getBoundingClientRect().left < middle).length
      label.textContent = Math.max(passed, 1) + ' of ' + figures.length
    }, { passive: true })
  })

  // Browsers don't focus a field for an address with a fragment, such as that of a form that was sent.
  if (location.hash) document.querySelector('main [autofocus]')?.focus()

  // Printing shows everything.
  let opened = []
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')]
    opened.forEach(d => { d.open = true })
  })
  addEventListener('afterprint', () => opened.forEach(d => { d.open = false }))
})();
