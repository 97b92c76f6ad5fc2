import type { IngestOutcome } from '../ontology/index.ts'
import { readSettings } from '../platform/settings/settings.ts'
import { positiveNumber, runCommand } from './command.ts'
import { readingProgress, withDisplay } from './progress.ts'
import { formatTable } from './table.ts'

const USAGE = `Usage: npm run ingest -- SOURCE... [options]

SOURCE is a file, a glob, an http(s) URL, - for standard input, or a checkout of D3FEND's source
repository, which is built as its Makefile does; gzip is unpacked.
Formats: Turtle, N-Triples, N-Quads, TriG, RDF/XML, JSON-LD. Several sources merge into one release.

  --version V      name of the release; default: owl:versionInfo of the sources
  --date D         release date (2026-01-31); default: d3f:release-date of the sources
  --format F       ttl, nt, nq, trig, rdf or jsonld; default: detected from name and content
  --replace        replace the content of an existing version
  --no-activate    keep serving the release that is served now
  --strict         stop when any check finds a violation
  --max-mb N       largest source, packed or unpacked (default 256)
  --timeout S      seconds to download a URL (default 60)`

const OPTIONS = {
  version: { type: 'string' },
  date: { type: 'string' },
  format: { type: 'string' },
  replace: { type: 'boolean', default: false },
  'no-activate': { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  'max-mb': { type: 'string', default: '256' },
  timeout: { type: 'string', default: '60' },
} as const

const OPERANDS = { least: 1, most: Infinity, missing: 'Name at least one source.' }

await runCommand({ usage: USAGE, options: OPTIONS, operands: OPERANDS }, async (values, operands) => {
  const { version, date, format, replace, strict } = values
  const options = {
    sources: operands,
    version,
    date,
    format,
    replace,
    strict,
    activate: !values['no-activate'],
    maxBytes: positiveNumber('max-mb', values['max-mb']) * 1024 * 1024,
    timeoutMs: positiveNumber('timeout', values.timeout) * 1000,
  }
  const { ingest, ReleaseFolder } = await import('../ontology/index.ts')
  const folder = new ReleaseFolder(readSettings().dataDir)
  const { readSheets } = await import('../guidance/interchange/spreadsheets/reading/sheet.ts')
  const outcome = await withDisplay('bytes', async (display) =>
    ingest(folder, { ...options, readSheets }, readingProgress(display)),
  )
  return describeOutcome(outcome, options.activate)
})

function describeOutcome({ status, manifest, withoutRecords }: IngestOutcome, activated: boolean): string {
  const { counts, checks } = manifest
  const rows = checks.map((check) => [
    check.name,
    check.severity,
    check.violations,
    check.examples.slice(0, 2).join(', '),
  ])
  const outcome = { created: 'is new', replaced: 'has new content', unchanged: 'is unchanged' }[status]
  return [
    formatTable(['check', 'severity', 'violations', 'for example'], rows),
    '',
    `Release ${manifest.version} (${manifest.releaseDate}) ${outcome}: ${counts.statements} statements ` +
      `(${counts.directFromRestrictions} from restrictions), ${counts.subjects} subjects, ` +
      `${counts.defensiveTechniques} defensive and ${counts.offensiveTechniques} offensive techniques, ` +
      `${counts.artifacts} artifacts, ${counts.weaknesses} weaknesses.`,
    ...(withoutRecords.length === 0 ? [] : [`It has no records of ${withoutRecords.join(', ')}.`]),
    activated ? 'It is the release that is served.' : 'It is not served yet.',
  ].join('\n')
}
