import { writeFile } from 'node:fs/promises'
import type { CheckReport } from '../ontology/index.ts'
import { messageOf, Refusal } from '../platform/errors.ts'
import { replaceFile } from '../platform/files/replace-file.ts'
import { readSettings } from '../platform/settings/settings.ts'
import { runCommand } from './command.ts'
import { formatTable } from './table.ts'

const USAGE = `Usage: npm run check-release -- VERSION [options]

Runs the quality checks of an ingest on a release, and your own checks if you have any.

Exit status: 1 if a check of severity error finds a violation; with --strict, if any check does.

  --checks PATH   a folder of SPARQL queries (*.rq), or one of them: each row of ?subject, perhaps with ?detail, is a
                  violation; "#+ summary: …" and "#+ severity: error" at the top say what it is
  --shapes PATH   a file of SHACL shapes in Turtle, or a folder of them (*.ttl); data/shapes has what the API needs
  --out FILE      write the report with every violation: as a SHACL validation report in Turtle if the name ends with
                  .ttl, else as JSON; may be given several times
  --strict        count warnings as errors`

const OPTIONS = {
  checks: { type: 'string' },
  shapes: { type: 'string' },
  out: { type: 'string', multiple: true },
  strict: { type: 'boolean', default: false },
} as const

const OPERANDS = { least: 1, most: 1, missing: 'Name one release.' }

await runCommand({ usage: USAGE, options: OPTIONS, operands: OPERANDS }, async (values, operands) => {
  const [version = ''] = operands
  const { checkRelease, ReleaseFolder, writeCheckReport } = await import('../ontology/index.ts')
  const folder = new ReleaseFolder(readSettings().dataDir)
  const report = await checkRelease(folder, version, values)
  const prefixes = (await folder.manifest(version))?.prefixes ?? {}
  for (const file of values.out ?? []) {
    const isTurtle = file.endsWith('.ttl')
    await writeReport(file, isTurtle ? writeCheckReport(report, prefixes) : `${JSON.stringify(report, null, 1)}\n`)
  }
  const failed = report.checks.filter(
    ({ severity, violations }) => violations.length > 0 && (values.strict || severity === 'error'),
  )
  if (failed.length > 0) process.exitCode = 1
  return describeReport(report, failed.length)
})

async function writeReport(file: string, text: string): Promise<void> {
  await replaceFile(file, (draft) => writeFile(draft, text)).catch((error: unknown) => {
    throw new Refusal('folder_unusable', `--out ${file}: ${messageOf(error)}.`)
  })
}

function describeReport({ version, sha256, checks }: CheckReport, failed: number): string {
  const rows = checks.map(({ name, severity, violations }) => [
    name,
    severity,
    violations.length,
    violations
      .slice(0, 2)
      .map(({ subject }) => subject)
      .join(', '),
  ])
  const outcome = failed === 0 ? 'passes' : `fails ${failed} of them`
  return [
    formatTable(['check', 'severity', 'violations', 'for example'], rows),
    '',
    `Release ${version} (${sha256.slice(0, 16)}) ${outcome}.`,
  ].join('\n')
}
