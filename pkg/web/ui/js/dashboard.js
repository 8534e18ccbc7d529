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

  // The new secret: over the page, until it's saved. Esc asks once.
  const secret = document.querySelector('[data-secret]')
  if (secret) {
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
      document.getElementById('toast').textContent = 'Save the key first. Esc once more closes.'
    })
  }
})();
