// The settings of htmx, which it reads when it starts: no style of its own, one spelling of its attributes, and only the
// extension in swap.js.
(() => {
  const settings = document.createElement('meta')
  settings.name = 'htmx-config'
  settings.content = JSON.stringify({ prefix: '', includeIndicatorCSS: false, defaultSettleDelay: 0, extensions: 'masthead' })
  document.head.append(settings)
})();
