// The editor of a design: it draws while one types, saves the draft, and shows lines. Without it, a button does.
(() => {
  const form = document.querySelector('[data-editor]')
  if (!form) return
  const by = id => document.getElementById(id)
  const source = by('source'), box = by('source-box'), gutter = by('gutter'), paper = by('paint'), saved = by('saved')
  const safe = s => s.replace(/[&<]/g, c => c === '&' ? '&amp;' : '&lt;')
  const most = 60000 // letters that are colored

  // Colors and line numbers behind the text. Lines with errors stand out.
  const tokens = /(<!--[^]*?-->|\/\*[^]*?\*\/)|(\{\{[^}]*\}+)|("[^"\n]*")/g
  const colored = s => {
    let out = '', at = 0
    for (const m of s.matchAll(tokens)) {
      const tag = m[1] ? 'u' : m[2] ? 'i' : 'q'
      out += safe(s.slice(at, m.index)) + `<${tag}>${safe(m[0])}</${tag}>`
      at = m.index + m[0].length
    }
    return out + safe(s.slice(at))
  }
  const scroll = () => {
    gutter.scrollTop = paper.scrollTop = source.scrollTop
    paper.scrollLeft = source.scrollLeft
  }
  const paint = () => {
    const lines = source.value.split('\n'), long = source.value.length > most
    const bad = new Set([...document.querySelectorAll('#faults [data-severity=error] [data-line]')].map(a => +a.dataset.line))
    gutter.innerHTML = lines.map((_, i) => bad.has(i + 1) ? `<b>${i + 1}</b>` : i + 1 + '\n').join('')
    box.classList.add('painted')
    box.classList.toggle('colors', !long)
    let out = '', begin = 0
    const rest = end => { if (end > begin) out += colored(lines.slice(begin, end).join('\n') + '\n') }
    for (const n of [...bad].sort((a, b) => a - b)) {
      if (n > lines.length) break
      rest(n - 1)
      out += `<s>${safe(lines[n - 1])}</s>\n`
      begin = n
    }
    rest(lines.length)
    paper.innerHTML = long ? '' : out
    scroll()
  }

  // Drawing: one request at a time, which also saves the draft; what was typed meanwhile is drawn after it.
  let timer, texts, alarm, busy = false, next, dirty = false, stopped = false, drawnAt
  const put = (id, page) => {
    const now = page.getElementById(id), was = by(id)
    if (now && was.innerHTML !== now.innerHTML) was.replaceWith(document.importNode(now, true))
  }
  const figure = async page => {
    const now = page.getElementById('figure'), was = by('figure')
    if (now.dataset.drawn === 'false' && drawnAt) { // the last one that could be drawn stays
      was.classList.add('old')
      was.querySelector('figcaption').textContent = `The last draft that could be drawn, from ${drawnAt}.`
      return
    }
    const img = new Image()
    img.src = now.querySelector('img').getAttribute('src')
    try { await img.decode() } catch {}
    if (now.dataset.drawn === 'true') drawnAt = new Date().toLocaleTimeString()
    by('figure').replaceWith(document.importNode(now, true))
  }
  const take = async (page, part) => {
    by('revision').value = page.getElementById('revision').value
    stopped = by('revision').value === ''
    for (const id of ['others-work', 'changes', 'changes-label', 'why', 'saved', 'facts']) put(id, page)
    const button = page.getElementById('publish')
    by('publish').replaceWith(document.importNode(button, true))
    clearTimeout(alarm)
    const said = () => { put('faults', page); paint() }
    if (page.querySelector('#faults .bad') && part) alarm = setTimeout(said, 750)
    else said()
    if (!part) put('texts', page)
    await figure(page)
  }
  const draw = async part => {
    clearTimeout(timer)
    if (busy) { next = part; return }
    busy = true
    dirty = false
    const data = new FormData(form), button = by('draw')
    data.set('do', 'draw')
    data.set('part', part)
    const slow = setTimeout(() => { button.textContent = 'Drawing' }, 300)
    try {
      const response = await fetch(form.action, { method: 'POST', body: data })
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      if (page.getElementById('editor')) await take(page, part)
      else if (response.status === 401) by('saved').textContent = 'You’re signed out. Sign in in another window to save this.'
      else throw response.status
    } catch {
      dirty = true
      by('saved').textContent = 'Not saved: the server didn’t respond.'
    }
    clearTimeout(slow)
    button.textContent = 'Draw and check'
    busy = false
    if (next !== undefined) {
      const part = next
      next = undefined
      draw(part)
    }
  }
  const changed = () => {
    dirty = true
    paint()
    clearTimeout(timer)
    clearTimeout(texts)
    clearTimeout(alarm)
    if (stopped) return
    timer = setTimeout(draw, 250, 'proof')
    texts = setTimeout(draw, 1500, '')
  }
  form.addEventListener('input', event => { if (event.target.matches('#source, [name=url], [name=light], [name=hero]')) changed() })
  setInterval(() => { if (dirty && !stopped) draw('proof') }, 5000)
  addEventListener('pagehide', () => {
    if (!dirty || stopped) return
    const data = new FormData(form)
    data.set('do', 'save')
    navigator.sendBeacon(form.action, data)
  })
  form.addEventListener('submit', event => {
    const button = event.submitter
    if (button?.getAttribute('aria-disabled')) return event.preventDefault()
    if (button && button.value !== 'draw') { dirty = false; return }
    event.preventDefault()
    draw('')
  })

  // Places in the document. Columns are in bytes.
  const goTo = link => {
    const lines = source.value.split('\n'), n = Math.min(+link.dataset.line, lines.length)
    const bytes = new TextEncoder().encode(lines[n - 1]).slice(0, Math.max(link.dataset.column - 1, 0))
    const at = lines.slice(0, n - 1).join('\n').length + (n > 1) + new TextDecoder().decode(bytes).length
    by('tab-1').checked = true
    source.focus()
    source.setSelectionRange(at, at)
    source.scrollTop = Math.max(0, (n - 6) * 20)
    return at
  }
  document.addEventListener('click', event => {
    const line = event.target.closest('[data-line]'), insert = event.target.closest('[data-insert]')
    const full = event.target.closest('#full')
    if (line || full) event.preventDefault()
    if (line) goTo(line)
    if (insert) {
      const link = insert.closest('li').querySelector('[data-line]')
      if (!link) return
      const at = goTo(link), word = source.value.slice(at).match(/^[\w.-]*/)[0]
      source.setRangeText(insert.dataset.insert, at, at + word.length, 'end')
      changed()
    }
    if (full) {
      const view = document.createElement('dialog'), img = new Image()
      view.className = 'full-size'
      img.src = full.href
      img.alt = 'The card at full size'
      view.append(img)
      view.addEventListener('click', () => view.close())
      view.addEventListener('close', () => view.remove())
      document.body.append(view)
      view.showModal()
    }
  })
  form.addEventListener('keydown', event => {
    if (!event.ctrlKey && !event.metaKey) return
    if (event.key === 'Enter' || event.key === 's') draw('')
    else if (event.target === source && '[]'.includes(event.key)) {
      const { value, selectionStart: a, selectionEnd: b } = source, from = value.lastIndexOf('\n', a - 1) + 1
      const lines = value.slice(from, b)
      source.setRangeText(event.key === ']' ? lines.replace(/^/gm, '  ') : lines.replace(/^ {1,2}/gm, ''), from, b, 'select')
      changed()
    } else return
    event.preventDefault()
  })
  source.addEventListener('scroll', scroll)
  if (by('figure').dataset.drawn === 'true') drawnAt = new Date().toLocaleTimeString()
  stopped = by('revision').value === ''
  paint()
})();
