import type { SoakRecord, Step } from './record.ts'
import type { Soak } from './soak.ts'

const WIDTH = 900
const HEIGHT = 160
const LEFT = 50

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } td, th { border: 1px solid #999; padding: .2rem .6rem; text-align: left }
svg { width: 100%; height: auto; background: #fff } .curve { fill: none; stroke: #06c; stroke-width: 1.5 }
.event { stroke: #c30; stroke-dasharray: 4 } text { font-size: 11px; fill: #333 }`

/** A page with the curves of a soak and what was lost. */
export function reportOf({ record, acknowledged, findings, notTried }: Soak): string {
  const seconds = (record.steps.length * record.stepMs) / 1000
  const perSecond = 1000 / record.stepMs
  const curves = [
    curve('Answers a second', record, ({ requests }) => requests * perSecond),
    curve('Slowest of 95 in 100 answers, ms', record, ({ ms }) => quantile(ms, 0.95)),
    curve('Failures a second', record, ({ failures }) => failures * perSecond),
    curve('Resident memory, MiB', record, ({ resident }) => resident),
  ]
  const statuses = [...record.statuses].sort(([a], [b]) => a.localeCompare(b))
  const rows = statuses.map(([status, count]) => `<tr><td>${escaped(status)}</td><td>${count}</td></tr>`)
  const lost = findings.map(({ entry, missing }) => `<li>${escaped(missing)}: ${escaped(JSON.stringify(entry))}</li>`)
  const happenings = record.happenings.map(({ at, what }) => `<li>${at.toFixed(1)} s: ${escaped(what)}</li>`)
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Soak</title><style>${STYLE}</style>
<h1>Soak of ${Math.round(seconds)} seconds</h1>
<p>${acknowledged} acknowledged, ${findings.length} lost.</p>
${lost.length === 0 ? '' : `<h2>Lost</h2><ul>${lost.join('\n')}</ul>`}
${curves.join('\n')}
<h2>What happened</h2><ul>${happenings.join('\n')}</ul>
${notTried.length === 0 ? '' : `<p>Not tried: ${escaped(notTried.join('; '))}.</p>`}
<h2>Answers</h2><table><tr><th>Kind and status</th><th>Count</th></tr>${rows.join('\n')}</table>
</html>
`
}

function curve(title: string, record: SoakRecord, valueOf: (step: Step) => number): string {
  const values = record.steps.map(valueOf)
  const top = Math.max(1, ...values)
  const x = (index: number): number => LEFT + (index / Math.max(1, values.length - 1)) * (WIDTH - LEFT)
  const points = values.map((value, index) => {
    const y = HEIGHT - (value / top) * (HEIGHT - 15)
    return `${x(index).toFixed(1)},${y.toFixed(1)}`
  })
  const events = record.happenings.map(({ at }) => {
    const position = x((at * 1000) / record.stepMs).toFixed(1)
    return `<line class="event" x1="${position}" x2="${position}" y1="0" y2="${HEIGHT}"/>`
  })
  return `<h2>${title}</h2>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 15}" role="img" aria-label="${title}, at most ${Math.round(top)}">
${events.join('')}<polyline class="curve" points="${points.join(' ')}"/>
<text x="0" y="15">${Math.round(top)}</text><text x="0" y="${HEIGHT}">0</text></svg>`
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
