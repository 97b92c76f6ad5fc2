import { REFUSALS } from '../platform/errors.ts'

/** The page that the `type` of every problem points at, with an anchor for each code. */
export function errorsPage(): string {
  const refusals = Object.entries(REFUSALS).map(([code, { status, title }]) =>
    row(code, status, title),
  )
  const rows = [...refusals, row('internal_error', 500, 'The service failed')].sort()
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <link rel="icon" href="data:,">
    <title>Errors – Parapet</title>
    <link rel="stylesheet" href="/assets/style.css">
  </head>
  <body>
    <main>
      <h1>Errors</h1>
      <p>Every refusal is an <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a> problem.
        Its <code>code</code> is stable; its <code>detail</code> names the problem and the place.</p>
      <table>
        <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
        <tbody>
${rows.join('\n')}
        </tbody>
      </table>
    </main>
  </body>
</html>
`
}

function row(code: string, status: number, title: string): string {
  return `          <tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`
}
