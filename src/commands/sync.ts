import { join } from 'node:path'
import type { ImportStep, Operator, OutdatedComponent } from '../guidance/operator.ts'
import { readSettings, readSyncProxy, type Settings } from '../platform/settings/settings.ts'
import { synchronise, type SyncLine, type SyncOptions, type SyncTargets } from '../sync/sync.ts'
import { asOperator, UsageRefusal, positiveNumber, runCommand } from './command.ts'
import { withDisplay, type TaskDisplay } from './progress.ts'
import { formatTable } from './table.ts'

const USAGE = `Usage: npm run sync [-- options]

Fetches new content of SERVICE_LIBRARY_URLS, SERVICE_REFERENCE_URLS and SERVICE_ONTOLOGY_URL: SRGs, STIGs and
reference data are imported, a release of the ontology is ingested, and served if SERVICE_SYNC_ACTIVATE says so.
Unchanged files are not fetched again.
Site administrators get a mail about what was imported and refused.

  --dry-run     list what would be fetched, and change nothing
  --max-mb N    largest file (default 1024)
  --timeout S   seconds for a file to be delivered (default 1800)

The same settings as for the service apply; it may be running.`

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  'max-mb': { type: 'string', default: '1024' },
  timeout: { type: 'string', default: '1800' },
} as const

const READING_MS = 60_000

await runCommand({ usage: USAGE, options: OPTIONS }, async (values) => {
  const { sync, dataDir } = readSettings()
  const { libraries, references, ontology, allowPrivate } = sync
  if (libraries.length + references.length === 0 && ontology === null)
    throw new UsageRefusal('Set SERVICE_LIBRARY_URLS, SERVICE_REFERENCE_URLS or SERVICE_ONTOLOGY_URL.')
  const limits = {
    maxBytes: positiveNumber('max-mb', values['max-mb']) * 1024 * 1024,
    timeoutMs: positiveNumber('timeout', values.timeout) * 1000,
  }
  const sources = { folder: join(dataDir, 'sync'), libraries, references, ontology, allowPrivate, ...limits }
  return withDisplay('benchmarks', async (display) => {
    const onUrl = (url: string): void => {
      display.update(url, 0, null)
    }
    const options = { ...sources, proxy: readSyncProxy(), isDry: values['dry-run'], onUrl }
    return asOperator((operator) => run(operator, options, display))
  })
})

async function run(operator: Operator, options: SyncOptions, display: TaskDisplay): Promise<string> {
  const targets = targetsOf(operator, options, display)
  const lines = await synchronise(options, targets)
  const outdated = await operator.findOutdated()
  const news = describeNews(lines, outdated)
  if (!options.isDry && news !== null) await operator.mailAdministrators(news)
  if (lines.some(({ outcome }) => outcome === 'refused')) process.exitCode = 1
  const rows = lines.map(({ outcome, subject, url }) => [outcome, subject, url])
  return [formatTable(['outcome', 'what', 'from'], rows), ...outdatedLines(outdated)].join('\n\n')
}

function targetsOf(operator: Operator, { maxBytes, timeoutMs }: SyncOptions, display: TaskDisplay): SyncTargets {
  const settings = readSettings()
  const plain = { documentType: undefined, version: undefined, replace: false }
  return {
    library: async (file, tell) => {
      for await (const { done, total, result } of operator.importFile(file, plain)) {
        display.update('Importing', done, total)
        tell(lineOf(result))
      }
    },
    reference: async (file, name) => {
      const steps = operator.importFile(file, { ...plain, only: 'reference_data' }, name)
      for await (const { result } of steps) return lineOf(result)
      throw new Error('Nothing was imported')
    },
    ontology: (file) => ingestFrom(file, settings, { maxBytes, timeoutMs }),
  }
}

function lineOf(result: ImportStep['result']): Pick<SyncLine, 'outcome' | 'subject'> {
  if (result.kind === 'reference_data') {
    const { outcome, name } = result.member
    return { outcome: outcome === 'imported' ? 'imported' : 'present', subject: name }
  }
  if (result.kind === 'refused' || result.kind === 'skipped') {
    const { member, detail, code } = result.member
    const outcome = result.kind === 'refused' ? 'refused' : 'present'
    return { outcome, subject: `${member ?? ''} ${detail} [${code}]`.trim() }
  }
  const { benchmark_id, version } = result.member
  const outcome = result.kind === 'imported' ? 'imported' : 'present'
  return { outcome, subject: `${benchmark_id} ${version}` }
}

async function ingestFrom(
  file: string,
  { dataDir, sync: { activate } }: Settings,
  limits: Pick<SyncOptions, 'maxBytes' | 'timeoutMs'>,
): Promise<Pick<SyncLine, 'outcome' | 'subject'>> {
  const reading = { ...limits, timeoutMs: READING_MS, sources: [file], activate }
  const { ingest, ReleaseFolder } = await import('../ontology/index.ts')
  const { status, manifest } = await ingest(new ReleaseFolder(dataDir), reading)
  const subject = `ontology ${manifest.version}`
  if (status === 'unchanged') return { outcome: 'present', subject }
  return { outcome: 'imported', subject: activate ? subject : `${subject}, not served yet` }
}

/** Null if nothing was imported or refused. */
function describeNews(lines: readonly SyncLine[], outdated: readonly OutdatedComponent[]): readonly string[] | null {
  const namesWith = (outcome: SyncLine['outcome']): string =>
    lines
      .filter((line) => line.outcome === outcome)
      .map(({ subject, url }) => (outcome === 'imported' ? `- ${subject}` : `- ${url}: ${subject}`))
      .join('\n')
  const imported = namesWith('imported')
  const refused = namesWith('refused')
  if (imported === '' && refused === '') return null
  return [
    ...(imported === '' ? [] : [`Imported:\n${imported}`]),
    ...(refused === '' ? [] : [`Refused:\n${refused}`]),
    ...outdatedLines(outdated),
  ]
}

function outdatedLines(outdated: readonly OutdatedComponent[]): readonly string[] {
  if (outdated.length === 0) return []
  const rows = outdated.map(
    ({ project, component, basedOn, newest }) =>
      `- ${component} (${project}): based on ${basedOn}; newest is ${newest}`,
  )
  return [`These components are based on an older release of their SRG:\n${rows.join('\n')}`]
}
