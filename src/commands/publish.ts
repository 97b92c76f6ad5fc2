import { z } from 'zod'
import type { PublishOutcome } from '../ontology/index.ts'
import { readSettings } from '../platform/settings/settings.ts'
import { publishedPages } from '../web/server/published-pages.ts'
import { Misuse, positiveInteger, runCommand } from './command.ts'
import { createDisplay } from './progress.ts'

const USAGE = `Usage: npm run publish -- --out DIR [options]

Writes everything the service answers as files, byte for byte the same, and DIR/manifest.json with
the SHA-256 of each; also an index, a sitemap, and settings for servers of static files. Started again
after an interruption, it goes on where it stopped.

  --release V      default: the release that is served
  --all-releases   all other releases as well, each below its version, and what is told of them: their list
                   and feed, changes between them, hashes, and what data there is
  --base-url URL   where the tree will be reached; default: SERVICE_BASE_URL
  --portable       file names for every file system, also of Windows; such a tree needs its nginx.conf
  --no-describe    leave out the two files that describe each subject
  --only json      only the JSON of the API: no tables, and no files with the whole ontology
  --pages          pages for browsers as well, which need no service; --base-url says below which path the tree
                   is, for addresses that lead nowhere
  --compress       write .gz and .br beside each file
  --threads N      default: one per core`

const OPTIONS = {
  out: { type: 'string' },
  release: { type: 'string' },
  'all-releases': { type: 'boolean', default: false },
  'base-url': { type: 'string' },
  portable: { type: 'boolean', default: false },
  'no-describe': { type: 'boolean', default: false },
  only: { type: 'string' },
  pages: { type: 'boolean', default: false },
  compress: { type: 'boolean', default: false },
  threads: { type: 'string' },
} as const

/** A query or a fragment would end up in the middle of addresses. */
const address = z.url({ protocol: /^https?$/ }).refine((url) => !/[?#]/.test(url))

await runCommand({ usage: USAGE, options: OPTIONS }, async (values) => {
  if (values.out === undefined) throw new Misuse('Name a folder with --out.')
  const settings = readSettings()
  const { dataDir } = settings
  const baseUrl = baseUrlOf(values['base-url'] ?? settings.baseUrl)
  const display = createDisplay('files')
  const { threads } = values
  try {
    const { publish, ReleaseFolder } = await import('../ontology/index.ts')
    const outcome = await publish(new ReleaseFolder(dataDir), {
      out: values.out,
      dataDir,
      baseUrl,
      ...(values.portable && { names: 'portable' }),
      version: values.release,
      allReleases: values['all-releases'],
      describe: !values['no-describe'],
      onlyJson: isOnlyJson(values.only),
      compress: values.compress,
      ...(values.pages && { pages: publishedPages() }),
      ...(threads !== undefined && { threads: positiveInteger('threads', threads) }),
      onProgress: (done, total) => {
        display.update('Publishing', done, total)
      },
    })
    return describeOutcome(outcome, values.out, baseUrl)
  } finally {
    display.stop()
  }
})

function isOnlyJson(only: string | undefined): boolean {
  if (only !== undefined && only !== 'json') throw new Misuse(`--only ${only}: must be json.`)
  return only === 'json'
}

function baseUrlOf(text: string): string {
  const { success } = address.safeParse(text)
  if (!success) throw new Misuse(`--base-url ${text}: must be an http(s) address.`)
  return text.replace(/\/+$/, '')
}

function describeOutcome(outcome: PublishOutcome, out: string, baseUrl: string): string {
  const { version, pinned, written, kept, removed, foreign, bytes } = outcome
  const lines = [
    `Release ${version} is published in ${out}: ${written} files written, ${kept} kept from an ` +
      `interrupted run, ${removed} removed, ${(bytes / 1e6).toFixed(1)} MB.`,
    ...(pinned.length > 0 ? [`Below their versions there are: ${pinned.join(', ')}.`] : []),
    `Addresses in the sitemap begin with ${baseUrl}/ (--base-url).`,
  ]
  if (foreign.length > 0) {
    lines.push(`Not removed, because publish did not write them: ${foreign.join(', ')}`)
  }
  return lines.join('\n')
}
