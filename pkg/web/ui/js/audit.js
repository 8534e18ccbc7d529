// Forms that request a report: they show progress while it is created. Without this script the form is just sent.
(() => {
  // For each step: what is being done, and what was done.
  const names = {
    answered: ['Asking for the page', 'The page answered'], read: ['Reading its tags', 'Its tags are read'],
    picture: ['Measuring its picture', 'Its picture is measured'], rules: ['Applying the rules', 'The rules are applied'],
  }
  const order = Object.keys(names)
  const time = ms => ms < 100 ? Math.max(1, Math.round(ms)) + ' ms' : (ms / 1000).toFixed(1) + ' s'
  const svg = (tag, attributes) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', tag)
    for (const k in attributes) e.setAttribute(k, attributes[k])
    return e
  }
  const element = (tag, properties, ...children) => {
    const e = Object.assign(document.createElement(tag), properties)
    e.append(...children)
    return e
  }

  // A bar and four lines; a live region that changes at most once a second.
  const progress = () => {
    const width = svg('rect', { width: 2, height: 3, fill: 'currentColor' })
    const bar = svg('svg', { class: 'bar3', viewBox: '0 0 100 3', preserveAspectRatio: 'none', 'aria-hidden': 'true' })
    bar.append(width)
    const live = element('p', { className: 'hidden' })
    live.setAttribute('role', 'status')
    const lines = {}, list = element('ol')
    list.setAttribute('aria-hidden', 'true')
    for (const step of order) {
      const dot = svg('svg', { class: 'dot', viewBox: '0 0 9 9' })
      dot.append(svg('path', { d: 'M.5.5h8v8h-8z', fill: 'none', stroke: 'currentColor' }))
      lines[step] = { dot, text: element('span', { textContent: names[step][0] }), time: element('span') }
      list.append(element('li', { className: 'faint' }, dot, lines[step].text, lines[step].time))
    }
    const box = element('div', { className: 'progress' }, bar, list, live)
    let spoken = 0, said
    const speak = text => {
      clearTimeout(said)
      const wait = Math.max(0, spoken + 1000 - Date.now())
      said = setTimeout(() => { spoken = Date.now(); live.textContent = text }, wait)
    }
    const working = step => {
      lines[step].dot.replaceChildren(svg('path', { d: 'M0 0h9v9H0z', fill: 'currentColor' }))
      lines[step].dot.setAttribute('class', 'dot working')
      lines[step].text.parentElement.className = ''
    }
    working(order[0])
    speak('Reading the page')
    return {
      box,
      done(line) {
        const l = lines[line.step], at = order.indexOf(line.step)
        if (!l) return
        l.dot.replaceChildren(svg('path', { d: 'M.5 4.5 3.4 8 8.6.8', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.3 }))
        l.dot.setAttribute('class', 'dot pass')
        l.text.textContent = names[line.step][1] + (line.says ? ': ' + line.says : '')
        l.text.parentElement.className = ''
        l.time.textContent = time(line.after)
        width.setAttribute('width', 25 * (at + 1))
        const next = order[at + 1]
        if (next && !lines[next].time.textContent) working(next)
        speak(l.text.textContent)
      },
    }
  }

  // The server's response, line by line.
  const read = async (answer, each) => {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop()
      for (const line of lines) if (line) each(JSON.parse(line))
    }
  }

  const fail = (form, line) => {
    const input = form.querySelector('input[name=url]'), said = form.querySelector('.said') || document.getElementById('again-said')
    const mark = svg('svg', { class: 'error', width: 9, height: 9, viewBox: '0 0 9 9', 'aria-hidden': 'true' })
    mark.append(svg('path', { d: 'M0 0h9v9H0z', fill: 'currentColor' }))
    said.replaceChildren(mark, ' ', element('b', { textContent: line.error }))
    if (line.proposal) {
      const take = element('button', { type: 'submit', className: 'plain any', name: 'url', value: line.proposal, textContent: line.proposal })
      said.append(' Did you mean ', take, '?')
    }
    said.hidden = false
    if (input.type !== 'hidden') {
      form.classList.add('bad')
      input.setAttribute('aria-invalid', 'true')
      input.focus()
    }
  }

  const clear = form => {
    form.classList.remove('bad')
    form.querySelector('input[name=url]').removeAttribute('aria-invalid')
    const said = form.querySelector('.said')
    if (said) { said.hidden = true; said.replaceChildren() }
  }

  document.addEventListener('submit', async event => {
    const form = event.target.closest('form[data-audit]')
    if (event.submitter?.hasAttribute('formaction')) return // another page reads the address
    if (!form || form.dataset.busy) return form && event.preventDefault()
    event.preventDefault()
    const input = form.querySelector('input[name=url]'), button = form.querySelector('button:not(.plain)')
    if (event.submitter?.name === 'url') input.value = event.submitter.value
    clear(form)
    form.dataset.busy = '1'
    button.setAttribute('aria-disabled', 'true')
    const help = form.querySelector('.help'), shown = progress()
    if (help) { help.hidden = true; help.after(shown.box) } else (form.closest('.bar') || form.closest('.actions') || form).after(shown.box)
    let ended = false
    try {
      const answer = await fetch(form.action, {
        method: 'POST', headers: { Accept: 'application/x-ndjson' }, body: new URLSearchParams(new FormData(form)),
      })
      await read(answer, line => {
        if (line.step) return shown.done(line)
        ended = true
        if (line.report) return location.assign(line.report)
        shown.box.remove()
        if (line.main) {
          document.title = line.title
          document.querySelector('main').innerHTML = line.main
          const h1 = document.querySelector('main h1')
          h1.tabIndex = -1
          h1.focus()
          scrollTo(0, 0)
        } else fail(form, line)
      })
    } catch { }
    if (!ended) {
      shown.box.remove()
      fail(form, { error: 'The service did not answer. Try again in a moment.' })
    }
    if (help) help.hidden = false
    button.removeAttribute('aria-disabled')
    delete form.dataset.busy
  })
  // The browser's Back button shows the form unchanged.
  addEventListener('pageshow', event => { if (event.persisted) location.reload() })
})();
