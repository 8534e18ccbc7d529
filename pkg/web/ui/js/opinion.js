// The analysis appears by itself: it is polled after 1, 2, 4 seconds and so on up to 60, then a link to reload remains.
(() => {
  const section = document.getElementById('opinion-section')
  if (!section?.dataset.opinion) return
  const reload = section.querySelector('[data-reload]')
  reload.hidden = true
  const ask = async wait => {
    if (wait > 60) { reload.hidden = false; return }
    await new Promise(done => setTimeout(done, 1000 * wait))
    try {
      const answer = await fetch(section.dataset.opinion)
      const html = answer.ok ? await answer.text() : ''
      if (html.includes('id="opinion-section"') && !html.includes('data-opinion=')) {
        const arrived = new DOMParser().parseFromString(html, 'text/html').getElementById('opinion-section')
        section.replaceChildren(...arrived.childNodes)
        section.removeAttribute('aria-busy')
        document.getElementById('toast').textContent = 'The second opinion has arrived'
        setTimeout(() => { document.getElementById('toast').textContent = '' }, 4000)
        return
      }
    } catch { }
    ask(wait < 32 ? 2 * wait : wait === 60 ? 61 : 60)
  }
  ask(1)
})();
