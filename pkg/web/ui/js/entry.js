(() => {
  const say = (element, text) => {
    element.textContent = text
    element.hidden = !text
  }
  const gone = 'The server didn’t respond. Try again in a moment.'

  // "Show" beside a password.
  document.addEventListener('click', event => {
    const button = event.target.closest('[data-reveal]')
    if (!button) return
    const input = document.getElementById(button.dataset.reveal), hidden = input.type === 'password'
    input.type = hidden ? 'text' : 'password'
    button.textContent = hidden ? 'Hide' : 'Show'
    button.setAttribute('aria-label', button.textContent + ': ' + input.labels[0].textContent)
    input.focus()
  })

  // The token of a link is after the # of the address, which browsers never send. It moves into the form, and out of
  // the address and the history.
  const linked = document.querySelector('[data-token]')
  if (linked) {
    const token = new URLSearchParams(location.hash.slice(1)).get('token')
    if (location.hash) history.replaceState(null, '', location.pathname)
    if (token) linked.elements[linked.dataset.token || 'token'].value = token
    if (token || 'sent' in linked.dataset) linked.classList.add('token-known')
  }

  // The password stays in its field while the page asks for the code of a second factor.
  document.addEventListener('submit', async event => {
    const form = event.target
    if (!('signIn' in form.dataset) || event.submitter?.hasAttribute('formaction')) return
    event.preventDefault()
    if (form.getAttribute('aria-busy')) return
    form.setAttribute('aria-busy', 'true')
    const password = form.elements.password.value
    try {
      const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
      if (answer.redirected) return location.assign(answer.url)
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html'), main = page.getElementById('main')
      if (!main) throw new Error(answer.status)
      document.getElementById('main').replaceWith(main)
      const next = main.querySelector('[data-sign-in]')
      if (next.elements.code) {
        next.elements.password.value = password
        document.getElementById('password-said')?.remove()
        next.elements.password.removeAttribute('aria-describedby')
      }
      passkeys()
      ;(main.querySelector('[autofocus]') ?? main.querySelector('#form-error'))?.focus()
    } catch {
      form.removeAttribute('aria-busy')
      form.submit()
    }
  })

  // Passkeys: the browser signs the options of the server, and the form sends what it signed.
  const passkeys = () => {
    const form = document.querySelector('[data-passkey]')
    if (!form || !window.PublicKeyCredential?.parseRequestOptionsFromJSON) return
    form.hidden = false
    const said = form.querySelector('.said')
    form.addEventListener('submit', async event => {
      event.preventDefault()
      say(said, '')
      try {
        const answer = await fetch(form.action + '/options', { method: 'POST' })
        const content = await answer.json()
        if (!answer.ok) return say(said, content.detail ?? gone)
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(content.publicKey)
        const credential = await navigator.credentials.get({ publicKey })
        form.elements.credential.value = JSON.stringify(credential.toJSON())
        form.submit()
      } catch (fault) {
        say(said, fault.name === 'NotAllowedError' ? 'No passkey was chosen. Try again, or use your password.' : gone)
      }
    })
  }
  passkeys()
})();
