(d => {
  d.classList.add('js')
  try { const t = localStorage.getItem('theme'); if (t) d.dataset.theme = t } catch {}
})(document.documentElement);
