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
  const undo = document.querySelector('[data-until]')
  const count = () => {
    const left = Math.ceil((undo.dataset.until - Date.now()) / 1000)
    if (left <= 0) return undo.remove()
    undo.querySelector('button').textContent = 'Undo, ' + left + ' s left'
    setTimeout(count, 1000)
  }
  if (undo) count()

  // Work in the background: the page is loaded again once it has what it waits for, unless something was typed into it.
  const waits = [1, 2, 4, 8, 15, 15]
  const look = async () => {
    await new Promise(done => setTimeout(done, waits.shift() * 1000))
    const page = await fetch(location.href).then(r => r.ok ? r.text() : '', () => '')
    const bare = page.replace(/<style[^]*?<\/style>/g, '') // its policy is that of another response
    const there = page && new DOMParser().parseFromString(bare, 'text/html')
    if (there && !there.querySelector('[data-waits]')) {
      const typed = [...document.querySelectorAll('main input:not([type=hidden])')].some(i => i.value !== i.defaultValue)
      if (!typed) return location.reload()
      document.getElementById('toast').textContent = 'There is news. Reload the page to see it.'
    } else if (waits.length) look()
  }
  if (document.querySelector('[data-waits]')) look()

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
      document.getElementById('toast').textContent = 'Save it first. Esc once more closes.'
    })
  }
})();
