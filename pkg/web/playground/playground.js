// Each choice changes the pictures at once. Without this script, buttons do it.
(() => {
  const look = document.getElementById('toast')
  document.addEventListener('click', async event => {
    const button = event.target.closest('[data-look]')
    if (!button) return
    let done = true
    try { await navigator.clipboard.writeText(button.dataset.look) } catch { done = false }
    look.textContent = done ? 'Link copied' : button.dataset.look
    setTimeout(() => { look.textContent = '' }, 4000)
  })

  const form = document.getElementById('choices')
  if (!form) return
  const main = form.querySelector('[data-main]'), proofs = [...form.querySelectorAll('[data-proof]')]
  let turn = 0, typing, asked

  // On phones the designs follow the card, and the AI background the choices: their place in the document is the one that
  // is seen, so that the Tab key goes the same way at each width.
  const small = matchMedia('(max-width: 860px)')
  const moved = [['.every', '[data-swap=caption]'], ['.ai', '.choices']].flatMap(([what, after]) => {
    const it = form.querySelector(what)
    return it ? [{ it, seen: form.querySelector(after), source: it.previousElementSibling }] : []
  })
  const place = () => {
    const at = document.activeElement
    for (const { it, seen, source } of moved) (small.matches ? seen : source).after(it)
    if (document.activeElement !== at) at.focus({ preventScroll: true })
  }
  if (small.matches) place()
  small.addEventListener('change', place)

  // The query of all pictures: the choices without the design and without defaults, in the server's order.
  const usual = { dark: 'true', aspectRatio: '16:9', logoPosition: 'none', font: form.elements.font.options[0].value }
  const query = () => {
    const q = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (value && !(value instanceof File) && !['template', 'sizes', 'for', 'project', 'again', 'prompt'].includes(name) && value !== usual[name]) q.set(name, value)
    if (q.get('own')) q.set('accent', q.get('own').replace('#', ''))
    q.delete('own')
    return q
  }
  const src = (design, width, q) => {
    const full = new URLSearchParams(q)
    full.set('w', width)
    full.sort()
    return form.dataset.ticket + '/' + design + '.png?' + full
  }

  // A proof that the server had no room for says so, and is asked for again.
  const settle = (img, tries = 0) => {
    const entry = performance.getEntriesByName(img.src).pop(), remark = img.parentElement.querySelector('.remark')
    const status = entry?.responseStatus || (img.naturalWidth ? 200 : 599)
    const waits = status === 503 && tries <= 5
    if (remark) remark.textContent = waits ? 'waiting' : status >= 400 ? 'failed ' : ''
    if (status < 400) return
    const at = img.src
    const again = async () => {
      if (img.src !== at) return
      performance.clearResourceTimings()
      img.src = at.replace(/(&try=\d+)?$/, '&try=' + (tries + 1))
      try { await img.decode() } catch {}
      settle(img, tries + 1)
    }
    if (waits) return setTimeout(again, 2000 + 500 * Math.random())
    const retry = document.createElement('button')
    retry.type = 'button'
    retry.className = 'plain'
    retry.textContent = 'Retry'
    retry.setAttribute('aria-label', 'Retry: ' + img.parentElement.querySelector('.name')?.textContent)
    retry.onclick = () => {
      remark.textContent = 'drawing'
      img.parentElement.querySelector('input').focus()
      again()
    }
    remark?.append(retry)
  }
  // The heading counts the proofs until all are there.
  const every = document.getElementById('every'), heading = every.textContent
  const count = () => {
    const done = proofs.filter(img => img.complete).length
    every.textContent = done < proofs.length ? `${done} of ${proofs.length} designs` : heading
    return done === proofs.length
  }
  const drawing = !count()
  for (const img of proofs) {
    if (img.complete) settle(img)
    else for (const end of ['load', 'error']) img.addEventListener(end, () => {
      settle(img)
      if (!count() || !drawing) return
      look.textContent = 'Drawn'
      setTimeout(() => { look.textContent = '' }, 4000)
    }, { once: true })
  }
  // Up and down go by row.
  form.querySelector('.sheet').addEventListener('keydown', event => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step) return
    const top = img => img.getBoundingClientRect().top
    const row = proofs.filter(img => top(img) === top(proofs[0])).length
    if (row === proofs.length) return // a strip
    const to = proofs[proofs.findIndex(img => img.parentElement.contains(event.target)) + step * row]
    event.preventDefault()
    to?.parentElement.querySelector('input').click()
    to?.parentElement.querySelector('input').focus()
  })

  // load shows a picture once it is decoded; the previous one stays until then.
  const load = async (img, address, mine) => {
    const next = new Image()
    next.src = address
    try { await next.decode() } catch { return }
    if (mine !== turn) return
    img.src = address
    settle(img)
  }

  const redraw = async () => {
    const mine = ++turn, q = query(), design = form.elements.template.value
    const width = main.getAttribute('width'), page = new URLSearchParams(q)
    if (design) page.set('template', design)
    const sizes = new FormData(form).getAll('sizes').join()
    if (sizes) page.set('sizes', sizes)
    const snippet = new URLSearchParams(location.search).get('for')
    if (snippet) page.set('for', snippet)
    if (form.elements.project) page.set('project', form.elements.project.value)
    const address = form.dataset.ticket + (`${page}` ? '?' + page : '')
    history.replaceState(null, '', address)
    performance.clearResourceTimings()
    form.setAttribute('aria-busy', 'true')
    const sameLook = asked === `${q}`
    asked = `${q}`
    await load(main, src(design, width, q), mine)
    if (mine !== turn) return
    form.removeAttribute('aria-busy')
    if (!sameLook) for (const img of proofs) load(img, src(img.dataset.proof, 480, q), mine)
    // What the server knows of the drawing: its size, its warnings, the previews and the code to paste.
    try {
      const answer = await fetch(address)
      const text = (await answer.text()).replace(/<style[^]*?<\/style>/g, '') // its policy is that of another response
      const fresh = new DOMParser().parseFromString(text, 'text/html')
      if (mine !== turn) return
      for (const part of document.querySelectorAll('[data-swap]')) {
        const other = fresh.querySelector(`[data-swap="${part.dataset.swap}"]`)
        // What stays the same isn't replaced under the visitor's hands.
        if (!other || part.contains(document.activeElement) || part.tagName === 'FIELDSET' && part.textContent === other.textContent) continue
        other.querySelectorAll('details').forEach((d, i) => { d.open = part.querySelectorAll('details')[i]?.open })
        other.querySelectorAll('input').forEach(i => { i.checked = document.getElementById(i.id)?.checked ?? i.checked })
        const prompt = other.querySelector('#prompt')
        if (prompt) prompt.value = form.elements.prompt?.value ?? ''
        part.replaceChildren(...other.childNodes)
        window.htmx?.process(part)
      }
      const img = fresh.querySelector('[data-main]')
      for (const name of ['alt', 'width', 'height']) if (img) main.setAttribute(name, img.getAttribute(name))
    } catch {}
  }
  // A button says what takes long. An AI picture shows for how long, and can be left: it's saved once it is there.
  const busy = (button, says) => {
    const usual = button.textContent, box = form.querySelector('[data-generating]')
    button.textContent = says
    button.setAttribute('aria-busy', 'true')
    if (button.value !== 'ai' || !box) return
    box.hidden = false
    const began = Date.now(), timer = setInterval(() => {
      const seconds = Math.round((Date.now() - began) / 1000)
      box.querySelector('rect').setAttribute('width', Math.min(seconds, 25))
      box.querySelector('[data-seconds]').textContent = `Generating, ${seconds} s.`
    }, 250)
    box.querySelector('[data-stop]').onclick = () => {
      clearInterval(timer)
      window.stop()
      box.hidden = true
      button.textContent = usual
      button.removeAttribute('aria-busy')
      button.focus()
      look.textContent = 'The card is saved once it’s there. Your images have it.'
    }
  }

  asked = `${query()}`
  form.addEventListener('submit', event => {
    if (event.submitter?.name === 'do') { // it leads to another page
      const says = event.submitter.dataset.busy
      if (says) setTimeout(() => busy(event.submitter, says), 300)
      return
    }
    event.preventDefault()
    redraw()
  })
  form.addEventListener('change', event => {
    if (event.target.name === 'prompt') return
    if (event.target.type === 'file') return form.requestSubmit(form.querySelector('[value=logo]'))
    if (event.target.name === 'accent') form.elements.own.value = ''
    clearTimeout(typing)
    redraw()
  })
  // Choosing the swatch from before an own color again is no change by itself; any other has changed it by then.
  form.addEventListener('click', event => event.target.name === 'accent' && setTimeout(() => {
    if (!form.elements.own.value) return
    form.elements.own.value = ''
    redraw()
  }))
  form.addEventListener('input', event => {
    // The color picker types into the field beside it.
    const own = form.elements.own
    if (event.target.type === 'color') own.value = event.target.value.slice(1).toUpperCase()
    const color = event.target === own && /^#?([0-9a-f]{6})$/i.exec(own.value)
    if (color) form.querySelector('[type=color]').value = '#' + color[1].toLowerCase()
    if (event.target.matches('[type=radio], [type=file], [name=prompt], select')) return
    clearTimeout(typing)
    const unfinished = event.target === own && !/^#?([0-9a-f]{6})?$/i.test(event.target.value)
    if (!unfinished) typing = setTimeout(redraw, event.target === own || event.target.type === 'color' ? 150 : 400)
  })
})();
