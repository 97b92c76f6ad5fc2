import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { CataloguePublishOptions, CataloguePublishOutcome } from '../guidance/operator.ts'
import type { PublishOutcome } from '../ontology/index.ts'
import { pageInTree } from '../platform/files/page-in-tree.ts'
import { createLog } from '../platform/log.ts'
import { readSettings, type Settings } from '../platform/settings/settings.ts'
import { publishedPages } from '../web/server/published-pages.ts'
import { CopiedPages } from '../web/server/rendering/copied-pages.ts'
import { asOperator, UsageRefusal, positiveInteger, runCommand, type OptionValues } from './command.ts'
import { withDisplay } from './progress.ts'

const USAGE = `Usage: npm run publish -- --out DIR [options]

Writes every answer of the service to a file, byte for byte, and DIR/manifest.json with the SHA-256 of
each; also an index, a sitemap, and settings for servers of static files. After an interruption, the same
command continues.

  --release V      default: the release that is served
  --all-releases   all other releases as well, each below its version, and the reports on them: list, feed,
                   changes between them, hashes, and the description of the data
  --base-url URL   where the tree will be reached; default: SERVICE_BASE_URL
  --portable       file names for every file system, also of Windows; such a tree needs its nginx.conf
  --no-describe    leave out the two files that describe each subject
  --only json      only the JSON of the API: no tables, and no files with the whole ontology
  --catalogue      the open catalogue of SRGs and STIGs as well, and DIR/catalogue-manifest.json; not with
                   SERVICE_CATALOGUE_PUBLIC=false
  --only catalogue the catalogue alone
  --pages          pages for browsers as well, with --catalogue also those of its rules; they need no service. The page
                   for unknown addresses needs the path of --base-url
  --empty-pages    like --pages, but without the content for browsers that run no scripts, which takes 0.05 s of
                   processor time for each page
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
  catalogue: { type: 'boolean', default: false },
  pages: { type: 'boolean', default: false },
  'empty-pages': { type: 'boolean', default: false },
  compress: { type: 'boolean', default: false },
  threads: { type: 'string' },
} as const

/** An address with a query or a fragment cannot be extended by paths. */
const address = z.url({ protocol: /^https?$/ }).refine((url) => !/[?#]/.test(url))

type Values = OptionValues<typeof OPTIONS>

await runCommand({ usage: USAGE, options: OPTIONS }, async (values) => {
  const { out, only, catalogue, threads } = values
  if (out === undefined) throw new UsageRefusal('Name a folder with --out.')
  const settings = readSettings()
  const options = {
    out,
    baseUrl: baseUrlOf(values['base-url'] ?? settings.baseUrl),
    ...(values.portable && { names: 'portable' as const }),
    onlyJson: readOnly(only) === 'json',
    ...(threads !== undefined && { threads: positiveInteger('threads', threads) }),
  }
  const pages = openPages(values, options)
  try {
    const lines: string[] = []
    if (catalogue || only === 'catalogue') lines.push(await publishCatalogue(values, settings, options, pages))
    if (only !== 'catalogue') lines.push(await publishOntology(values, settings, options, pages))
    return lines.join('\n')
  } finally {
    await pages?.close()
  }
})

interface TreeOptions {
  readonly out: string
  readonly baseUrl: string
  readonly names?: 'portable'
  readonly onlyJson: boolean
  readonly threads?: number
}

async function publishOntology(
  values: Values,
  { dataDir }: Settings,
  options: TreeOptions,
  pages: CopiedPages | null,
): Promise<string> {
  const { publish, ReleaseFolder } = await import('../ontology/index.ts')
  return withDisplay('files', async (display) => {
    const outcome = await publish(new ReleaseFolder(dataDir), {
      ...options,
      dataDir,
      version: values.release,
      allReleases: values['all-releases'],
      describe: !values['no-describe'],
      compress: values.compress,
      ...(pages !== null && {
        pages: publishedPages(),
        hasCatalogue: values.catalogue,
        ...filledBy(pages, values),
      }),
      onProgress: (done, total) => {
        display.update('Publishing', done, total)
      },
    })
    return describeOutcome(outcome, options)
  })
}

/** The catalogue alone has no pages, because it does not include the application that shows them. */
function openPages(
  values: Values,
  { out, baseUrl, threads = availableParallelism() }: TreeOptions,
): CopiedPages | null {
  if ((!values.pages && !values['empty-pages']) || values.only === 'catalogue') return null
  return new CopiedPages({ out, baseUrl, content: contentOf(values), threads, log: createLog('warn') })
}

function filledBy(pages: CopiedPages, values: Values): Pick<CataloguePublishOptions, 'fill'> {
  return values['empty-pages'] ? {} : { fill: pages.fill }
}

function contentOf(values: Values): { readonly hasReleases: boolean; readonly hasCatalogue: boolean } {
  return { hasReleases: values['all-releases'], hasCatalogue: values.catalogue }
}

async function publishCatalogue(
  values: Values,
  settings: Settings,
  { out, baseUrl, names }: TreeOptions,
  pages: CopiedPages | null,
): Promise<string> {
  const { OntologyService, describeOntology } = await import('../ontology/index.ts')
  const service = new OntologyService({ ...settings, log: createLog('warn'), prepareMs: null })
  try {
    await service.start()
    const outcome = await withDisplay('files', async (display) =>
      asOperator((operator) =>
        operator.publishCatalogue({
          out,
          baseUrl,
          ...(names !== undefined && { names }),
          release: values.release,
          ...cataloguePages(values, pages),
          ontology: describeOntology(service),
          onProgress: (done, total) => {
            display.update('Publishing the catalogue', done, total)
          },
        }),
      ),
    )
    return describeCatalogue(outcome, out)
  } finally {
    await service.close()
  }
}

function cataloguePages(values: Values, pages: CopiedPages | null): Pick<CataloguePublishOptions, 'pageAt' | 'fill'> {
  if (pages === null) return {}
  const { document } = publishedPages()
  return { pageAt: (base) => pageInTree(document, base, contentOf(values)), ...filledBy(pages, values) }
}

function readOnly(only: string | undefined): 'json' | 'catalogue' | null {
  if (only === undefined) return null
  if (only === 'json' || only === 'catalogue') return only
  throw new UsageRefusal(`--only ${only}: must be json or catalogue.`)
}

function baseUrlOf(text: string): string {
  const { success } = address.safeParse(text)
  if (!success) throw new UsageRefusal(`--base-url ${text}: must be an http(s) address.`)
  return text.replace(/\/+$/, '')
}

function describeCatalogue(outcome: CataloguePublishOutcome, out: string): string {
  const { releases, written, kept, removed, bytes } = outcome
  return (
    `The catalogue (${releases} ${releases === 1 ? 'release' : 'releases'}) is published in ${out}: ${written} files written, ${kept} were there ` +
    `already, ${removed} removed, ${(bytes / 1e6).toFixed(1)} MB.`
  )
}

function describeOutcome(outcome: PublishOutcome, { out, baseUrl }: TreeOptions): string {
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
