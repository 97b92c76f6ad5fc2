import { REFUSALS } from '../../platform/errors.ts'
import { STYLE_HEAD, type Page } from './html-pages.ts'

/** The page to which the `type` of every problem points, with an anchor for each code. */
export function errorsPage(): Page {
  const refusals = Object.entries(REFUSALS).map(([code, { status, title }]) => row(code, status, title))
  const rows = [...refusals, row('internal_error', 500, 'The service failed')].sort()
  const body = `<main>
  <h1>Errors</h1>
  <p>Every refusal is an <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a> problem.
    Its <code>code</code> is stable; its <code>detail</code> names the problem and the place.</p>
  <table>
    <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
    <tbody>
${rows.join('\n')}
    </tbody>
  </table>
</main>`
  return { title: 'Errors', head: STYLE_HEAD, body }
}

function row(code: string, status: number, title: string): string {
  return `      <tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`
}
