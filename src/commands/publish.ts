import { parseArgs } from 'node:util'
import { publish, ReleaseFolder, type PublishOutcome } from '../ontology/index.ts'
import { Refusal } from '../platform/errors.ts'
import { readSettings } from '../platform/settings.ts'
import { parsed, positiveInteger, runCommand } from './command.ts'
import { createDisplay } from './progress.ts'

const USAGE = `Usage: npm run publish -- --out DIR [options]

Writes everything the service answers as files, byte for byte the same, and DIR/manifest.json with
the SHA-256 of each. Started again after an interruption, it goes on where it stopped.

  --release V      default: the release that is served
  --no-describe    leave out the two files that describe each subject
  --compress       write .gz and .br beside each file
  --threads N      default: one per core`

const OPTIONS = {
  out: { type: 'string' },
  release: { type: 'string' },
  'no-describe': { type: 'boolean', default: false },
  compress: { type: 'boolean', default: false },
  threads: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

await runCommand(async (args) => {
  const { values } = parsed(() => parseArgs({ args: [...args], options: OPTIONS }), USAGE)
  if (values.help) return USAGE
  if (values.out === undefined) throw new Refusal('usage', `Say where to with --out.\n\n${USAGE}`)
  const { dataDir } = readSettings()
  const display = createDisplay('files')
  const { threads } = values
  try {
    const outcome = await publish(new ReleaseFolder(dataDir), {
      out: values.out,
      dataDir,
      version: values.release,
      describe: !values['no-describe'],
      compress: values.compress,
      ...(threads !== undefined && { threads: positiveInteger('threads', threads) }),
      onProgress: (done, total) => {
        display.update('Publishing', done, total)
      },
    })
    return describeOutcome(outcome, values.out)
  } finally {
    display.stop()
  }
})

function describeOutcome(outcome: PublishOutcome, out: string): string {
  const { version, written, kept, removed, skipped, bytes } = outcome
  const lines = [
    `Release ${version} is published in ${out}: ${written} files written, ${kept} kept from an ` +
      `interrupted run, ${removed} removed, ${(bytes / 1e6).toFixed(1)} MB.`,
  ]
  if (skipped.length > 0) {
    lines.push(`Left out, because the name is too long for a file: ${skipped.join(', ')}`)
  }
  return lines.join('\n')
}
