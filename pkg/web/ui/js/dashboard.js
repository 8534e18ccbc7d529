(() => {
  // Menus close on Esc and on a click outside.
  const menus = document.querySelectorAll('[data-menu]')
  addEventListener('click', event => menus.forEach(m => { if (!m.contains(event.target)) m.open = false }))
  addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      menus.forEach(m => {
        if (m.open && m.contains(document.activeElement)) m.firstElementChild.focus()
        m.open = false
      })
      if (!document.querySelector('dialog:modal')) document.querySelector('[data-ask] a')?.click()
    }
    const typing = event.target.closest?.('input:not([type=checkbox], [type=radio]), textarea, select, dialog') || event.target.isContentEditable
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !keys()) return
    if (event.key === '/') {
      event.preventDefault()
      document.getElementById('address')?.focus()
    }
    // g, and then the first letter of a section.
    if (Date.now() - going < 1500 && 'oiapdu'.includes(event.key)) {
      const named = a => a.textContent[0].toLowerCase() === event.key
      ;[...document.querySelectorAll('.sections a')].find(named)?.click()
    }
    going = event.key === 'g' ? Date.now() : 0
  })
  // Single keys can be turned off in the settings, in each browser (WCAG 2.1.4).
  let going = 0
  const keys = () => {
    try { return localStorage.getItem('keys') !== 'off' } catch { return true }
  }
  const keysSwitch = () => {
    const box = document.getElementById('single-keys')
    if (!box) return
    box.checked = keys()
    box.onchange = () => {
      try { localStorage.setItem('keys', box.checked ? 'on' : 'off') } catch {}
      document.getElementById('toast').textContent = 'Saved'
    }
  }

  // What can still be undone says for how long, and goes when it can't be any more.
  let counting
  const count = () => {
    clearTimeout(counting)
    const undo = document.querySelector('[data-until]')
    if (!undo) return
    const left = Math.ceil((undo.dataset.until - Date.now()) / 1000)
    if (left <= 0) return (undo.closest('tr, li') ?? undo).remove()
    undo.querySelector('button').textContent = 'Undo, ' + left + ' s left'
    counting = setTimeout(count, 1000)
  }

  // The new secret: over the page, until it's saved. Esc asks once.
  const secret = () => {
    const secret = document.querySelector('[data-secret]')
    if (!secret || secret.matches(':modal')) return
    const leave = secret.querySelector('[data-leave]')
    secret.close()
    secret.showModal()
    let asked = false
    // Browsers close a dialog without asking unless the key itself is handled.
    secret.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      if (asked) return leave.click()
      asked = true
      leave.focus()
      document.getElementById('toast').textContent = 'Save it first. Esc once more closes.'
    })
  }

  // On phones the links below the head scroll sideways: the current one is in sight.
  const subs = () => {
    const row = document.querySelector('.subs')
    const end = row?.querySelector('[aria-current]')?.getBoundingClientRect().right
    if (end) row.scrollLeft += Math.max(0, end - row.getBoundingClientRect().right)
  }

  const begin = () => {
    count()
    subs()
    secret()
    keysSwitch()
  }
  begin()
  addEventListener('htmx:after:swap', begin)
})();
