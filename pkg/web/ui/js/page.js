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

  // A button says what takes longer than 300 ms, and after 3 s for how long. It keeps at least its width. wait returns
  // what takes that back.
  const doing = {
    Add: 'Adding', Audit: 'Auditing', Change: 'Changing', Create: 'Creating', Delete: 'Deleting', Draw: 'Drawing',
    Email: 'Sending', Export: 'Exporting', Get: 'Auditing', Redraw: 'Redrawing', Register: 'Registering', Remove: 'Removing',
    Resend: 'Sending', Restore: 'Restoring', Retry: 'Retrying', Run: 'Auditing', Save: 'Saving', See: 'Drawing',
    Send: 'Sending', Show: 'Loading', Sign: 'Signing in', Upload: 'Uploading',
  }
  globalThis.wait = button => {
    if (!button?.matches?.('button, .button') || button.childElementCount) return () => {}
    const was = button.textContent, width = button.offsetWidth, began = Date.now()
    const says = button.dataset.busy ?? doing[was.trim().split(/[ ,:]/)[0]] ?? 'Working'
    let timer, said
    const say = () => {
      const seconds = Math.round((Date.now() - began) / 1000)
      button.setAttribute('aria-busy', 'true')
      button.style.minWidth = width + 'px'
      said = button.textContent = seconds < 3 ? says : `${says}, ${seconds} s`
      timer = setTimeout(say, 1000)
    }
    timer = setTimeout(say, 300)
    return () => {
      clearTimeout(timer)
      button.removeAttribute('aria-busy')
      button.style.removeProperty('min-width')
      if (said && button.textContent === said) button.textContent = was
    }
  }
  // Forms that lead to another page. Those that scripts send look after their buttons.
  addEventListener('submit', event => {
    if (event.defaultPrevented || event.submitter?.dataset.busy) return
    const rest = wait(event.submitter)
    addEventListener('pageshow', rest, { once: true }) // back again
  })

  // Times are written in UTC. For readers they are in their own zone.
  const day = { day: 'numeric', month: 'long', year: 'numeric' }, minute = { hour: '2-digit', minute: '2-digit' }
  const forms = {
    date: day, time: { ...minute, second: '2-digit' }, moment: { ...day, ...minute, timeZoneName: 'short' },
    clock: { day: 'numeric', month: 'short', ...minute, second: '2-digit' },
  }
  const written = (at, form) => new Intl.DateTimeFormat('en-GB', { ...form, hourCycle: 'h23' }).format(at)
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts().find(p => p.type === 'timeZoneName').value
  const local = () => {
    document.querySelectorAll('[data-zone]').forEach(z => { z.textContent = zone })
    document.querySelectorAll('time[datetime]').forEach(t => {
      const at = new Date(t.dateTime), form = forms[t.dataset.form]
      if (isNaN(at)) return
      // What is local keeps UTC as its title; words such as "3 minutes ago" have the local moment there.
      const text = written(at, form ?? forms.moment).replace(' at ', ', ')
      if (form) t.textContent = text
      else t.title = text
    })
  }
  local()
  addEventListener('htmx:after:swap', local)

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
