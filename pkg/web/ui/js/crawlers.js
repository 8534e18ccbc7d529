// While a page is read by the names of crawlers, this part of its report is loaded anew every two seconds.
(() => {
  let section = document.getElementById('crawlers')
  if (!section?.dataset.crawlers) return
  const next = left => setTimeout(async () => {
    try {
      const answer = await fetch(section.dataset.crawlers)
      const html = answer.ok ? await answer.text() : ''
      const arrived = new DOMParser().parseFromString(html, 'text/html').getElementById('crawlers')
      if (arrived) {
        arrived.open = section.open
        section.replaceWith(arrived)
        section = arrived
      }
      if (!section.dataset.crawlers) {
        document.getElementById('toast').textContent = 'All names were tried'
        setTimeout(() => { document.getElementById('toast').textContent = '' }, 4000)
        return
      }
    } catch { }
    if (left) next(left - 1)
  }, 2000)
  next(300)
})();
