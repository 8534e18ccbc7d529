(() => {
  const zones = document.getElementById('zones')
  if (zones) {
    const show = () => document.documentElement.classList.toggle('zones', zones.checked)
    try { zones.checked = sessionStorage.getItem('zones') === 'on' } catch {}
    zones.addEventListener('change', () => {
      show()
      try { sessionStorage.setItem('zones', zones.checked ? 'on' : '') } catch {}
    })
    show()
  }
  for (const radio of document.querySelectorAll('[name=mode]')) radio.addEventListener('change', () => radio.form.submit())
  const drawn = document.documentElement.dataset.version
  setInterval(async () => {
    try {
      const now = await (await fetch('/version')).text()
      if (now !== drawn) location.reload()
    } catch {}
  }, 500)
})()
