/* global SwaggerUIBundle */

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
let waiting = 0
const api = document.getElementById('api')

/** Swagger UI has colours of its own for the dark, and takes them by this class. */
function followColours() {
  document.documentElement.classList.toggle('dark-mode', prefersDark.matches)
}

/** The path of an operation as text: it stands within a button, which may hold no link. */
function PathText({ text }, React) {
  return React.createElement('span', { className: 'nostyle' }, text)
}

/** Adds what Swagger UI leaves out for those who use the keyboard or listen. */
function mend() {
  for (const sample of api.querySelectorAll('pre.microlight:not([tabindex])')) sample.tabIndex = 0
  for (const table of api.querySelectorAll('table[role=region]:not([aria-label])')) {
    const summary = table.closest('.opblock')?.querySelector('.opblock-summary-path')
    table.setAttribute('aria-label', `Responses of ${summary?.dataset.path ?? table.id}`)
  }
}

/** Once for many changes: the list is long. */
function mendSoon() {
  cancelAnimationFrame(waiting)
  waiting = requestAnimationFrame(mend)
}

followColours()
prefersDark.addEventListener('change', followColours)
new MutationObserver(mendSoon).observe(api, { childList: true, subtree: true })

SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  // One group at a time: all at once take seconds to draw.
  docExpansion: 'none',
  tryItOutEnabled: true,
  // Without this, the page sends the document to a validator on the internet.
  validatorUrl: null,
  plugins: [
    {
      wrapComponents: {
        DeepLink:
          (_original, { React }) =>
          (props) =>
            PathText(props, React),
        // The page has a beginning of its own, and there is one server: this one.
        InfoContainer: () => () => null,
        ServersContainer: () => () => null,
      },
    },
  ],
})
