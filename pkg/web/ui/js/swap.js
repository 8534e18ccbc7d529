// What stays on a page is swapped in place: htmx sends the links and forms that lead to the page itself, and puts the
// response where it belongs. Without this script they are sent as usual. What leads to another page is left to the
// browser, since other pages have other styles.
(() => {
  const toast = document.getElementById('toast')
  const say = text => {
    if (!text) return
    toast.textContent = text
    clearTimeout(toast.clearing)
    toast.clearing = setTimeout(() => { toast.textContent = '' }, 4000)
  }
  const broken = 'That didn’t work. Try again in a moment.'
  const here = address => {
    const to = new URL(address ?? '', location)
    return to.origin === location.origin && to.pathname === location.pathname
  }
  // Markup that got into a page by mistake must not act: only links and forms do, when a person uses them.
  const known = ['hx-boost', 'hx-target', 'hx-select', 'hx-select-oob', 'hx-swap', 'hx-sync', 'hx-push-url', 'hx-replace-url']
  const acts = element => element.matches('a, form') && here(element.getAttribute(element.matches('a') ? 'href' : 'action')) &&
    element.getAttributeNames().every(name => !name.startsWith('hx-') || known.includes(name.split(':')[0]))
  const refuse = function () { throw new Error('Attributes have no code here.') }

  let actions = 0 // that people took
  let appended = false // a further page of the list
  let opener // the link that opened a question, which gets the focus back
  let undoable = document.querySelector('[data-until]')?.dataset.until

  // Says what takes long: the button after 300 ms, a bar after a second.
  const busy = ctx => {
    const rest = globalThis.wait?.(ctx.request.submitter ?? ctx.sourceElement) // of page.js
    const filter = ctx.sourceElement.matches?.('.filter') // its bar is below it, and comes sooner
    const awaited = filter ? ctx.sourceElement : document.getElementById('main')
    const bar = setTimeout(() => awaited?.setAttribute('aria-busy', 'true'), filter ? 300 : 1000)
    ctx.rest = () => {
      clearTimeout(bar)
      awaited?.removeAttribute('aria-busy')
      rest?.()
    }
  }

  // The focus stays where it is. If its element is gone, it goes to what the person needs next.
  const focus = ctx => {
    const main = document.getElementById('main')
    const undo = main.querySelector('[data-until]'), until = undo?.dataset.until
    const fresh = until && until !== undoable
    undoable = until
    if (main.querySelector('[data-ask]')) {
      opener = ctx.sourceElement.getAttribute?.('href') ?? opener
      return
    }
    if (fresh && !ctx.saves) return undo.querySelector('button').focus()
    const error = main.querySelector('#form-error')
    if (error && !main.querySelector('[autofocus]')) return error.focus()
    if (document.activeElement && document.activeElement !== document.body) return
    const back = opener && main.querySelector(`a[href="${CSS.escape(opener)}"]`)
    opener = undefined
    if (back) return back.focus()
    const heading = main.querySelector('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }

  htmx.registerExtension('masthead', {
    init: api => api.initSecurity(null, refuse, refuse),
    htmx_before_init: acts,
    htmx_before_on_init: () => false,
    htmx_before_request: (_, { ctx }) => {
      if (ctx.part) return
      actions++
      if (ctx.request.method !== 'GET' || ctx.target?.id !== 'main') ctx.request.anchor = undefined
      ctx.saves = ctx.sourceElement.matches?.('[data-saves]')
      busy(ctx)
    },
    // A response that is another page, or a file, is the browser's.
    htmx_before_response: (_, { ctx }) => {
      const html = ctx.response.headers.get('Content-Type')?.startsWith('text/html')
      const at = new URL(ctx.response.raw.url)
      if (ctx.part) return at.pathname === new URL(ctx.request.action, location).pathname // or the session has ended
      if (here(at) && html) return
      if (ctx.response.status >= 400 && !html) say(broken)
      else location.assign(at)
      return false
    },
    htmx_after_request: (_, { ctx }) => {
      // Its policy is that of another response: neither its style nor its scripts belong here.
      ctx.text = ctx.text.replace(/<(style|script)\b[^]*?<\/\1>/g, '')
      if (ctx.part && (ctx.acted !== actions || ctx.response.status >= 400)) return false
      if (ctx.response.status >= 500 && !ctx.text.includes('id="form-error"')) {
        say(broken)
        return false
      }
      if (ctx.target?.id === 'main' && !ctx.text.includes('<main id="main" hx-')) ctx.swap = 'outerHTML show:none'
      ctx.had = ctx.target?.childElementCount
    },
    htmx_before_morph_attr: (element, { attrName }) => attrName !== 'open' || !element.matches('details'),
    htmx_after_swap: (_, { ctx }) => {
      if (ctx.part) return document.querySelector('[data-waits]') || say(ctx.over)
      if (ctx.sourceElement.matches?.('form')) ctx.sourceElement.reset() // to what the response says
      if (ctx.swap === 'beforeend') { // "Show more"
        appended = true
        const first = ctx.target.children[ctx.had]
        first?.querySelector('a, button, input')?.focus()
        return say(`${ctx.target.childElementCount - ctx.had} more`)
      }
      const use = document.querySelector('#use [data-use][aria-current]')
      if (ctx.target.id === 'use' && use) {
        if (ctx.target.matches('[data-account]')) {
          const body = new URLSearchParams({ do: 'snippet', snippet: use.dataset.use })
          fetch('/dashboard/settings', { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => {})
          return
        }
        try { localStorage.setItem('snippet', use.dataset.use) } catch {}
        return
      }
      focus(ctx)
      poll()
      say(document.querySelector('#main > .done')?.textContent.trim())
    },
    htmx_finally_request: (_, { ctx }) => ctx.rest?.(),
    htmx_error: (_, { ctx, error }) => { if (ctx && !ctx.part && error?.name !== 'AbortError') say('The server didn’t respond. Try again in a moment.') },
  })
  // As browsers do: a page that is loaded again is no new one.
  document.addEventListener('htmx:before:history:update', event => {
    const { history } = event.detail
    if (history.path.split('#')[0] === location.pathname + location.search) history.type = 'replace'
  })

  // Loads a part of a page, by its ID, without a person.
  const load = (id, address, over) => htmx.ajax('GET', address, {
    source: document.getElementById(id), target: '#' + id, select: '#' + id, swap: 'outerMorph', push: 'false',
    part: true, acted: actions, over,
  })

  // What waits for work in the background is loaded after 1, 2, 4 and 8 s and then every 15 s, or every data-every
  // seconds, for ten minutes.
  let polling = false
  const poll = async () => {
    if (polling) return
    polling = true
    const until = Date.now() + 600_000
    for (let tries = 0; Date.now() < until; tries++) {
      const first = document.querySelector('[data-waits]')
      if (!first || appended) break
      await new Promise(done => setTimeout(done, (first.dataset.every ?? Math.min(15, 2 ** tries)) * 1000))
      if (document.hidden) continue
      for (const { id, dataset } of document.querySelectorAll('[data-waits]')) {
        await load(dataset.waits ? id : 'main', dataset.waits || location.pathname + location.search, dataset.over)
      }
    }
    polling = false
  }
  // Snippets: another one without loading the page; the one that was used last is remembered.
  addEventListener('change', event => {
    const form = event.target.form
    if (event.target.id === 'for') form.requestSubmit()
    if (form?.matches('.filter') && event.target.type === 'radio') form.requestSubmit()
    if (form?.matches('[data-saves]')) form.requestSubmit(form.querySelector('[name=do]')) // saved at once
  })
  const begin = () => {
    poll()
    try {
      const used = localStorage.getItem('snippet'), asked = new URLSearchParams(location.search).has('for')
      const link = used && !asked && document.querySelector(`#use:not([data-account]) [data-use="${CSS.escape(used)}"]:not([aria-current])`)
      if (link) load('use', link.getAttribute('href'))
    } catch {}
  }
  setTimeout(begin) // after htmx
})();
