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
    const typing = event.target.closest?.('input, textarea, select')
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      document.getElementById('address')?.focus()
    }
  })

  // What can still be undone says for how long, and goes when it can't be any more.
  let counting
  const count = () => {
    clearTimeout(counting)
    const undo = document.querySelector('[data-until]')
    if (!undo) return
    const left = Math.ceil((undo.dataset.until - Date.now()) / 1000)
    if (left <= 0) return undo.remove()
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

  const begin = () => {
    count()
    secret()
  }
  begin()
  addEventListener('htmx:after:swap', begin)
})();
