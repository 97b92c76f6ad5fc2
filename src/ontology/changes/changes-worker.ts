import { workerData } from 'node:worker_threads'
import { readNTriples } from '../../graph/syntax/n3.ts'
import type { Statement } from '../../graph/term.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { serve } from '../../platform/threads/serve.ts'
import { DerivedFiles } from '../derived/derived-files.ts'
import { ReleaseFolder } from '../release/folder.ts'
import { isSame, type Manifest } from '../release/manifest.ts'
import { renderPieces } from '../render/render.ts'
import { compareReleases, type LoadedRelease } from './compare.ts'
import { FORMS, derivedNameOf, type ChangesForm } from './forms.ts'
import { loadRelease } from './load.ts'
import { COMPARING, compareStart } from './protocol.ts'

const { dataDir } = compareStart.parse(workerData)
/** After the comparison: the answer is on its way by then. */
const CACHING_DELAY_MS = 200

const folder = new ReleaseFolder(dataDir)
const cache = new DerivedFiles(folder.root)

/** The last comparison is kept, because callers ask for it in several forms and codings. */
let lastComparison: Comparison | null = null

interface Comparison {
  readonly key: string
  readonly textIn: (form: ChangesForm) => string
}

serve(COMPARING, {
  changes: async ({ from, to, form, coding }, moved) => {
    const text = (await compare(from, to)).textIn(form)
    const rendered = await renderPieces([text], FORMS[form].mediaType, coding)
    const body = new Uint8Array(rendered.body)
    moved.push(body.buffer)
    return { ...rendered, body }
  },
})

async function compare(from: Manifest, to: Manifest): Promise<Comparison> {
  const key = [from, to].map(({ version, sha256 }) => `${version} ${sha256}`).join(' ')
  if (lastComparison?.key === key) return lastComparison
  lastComparison = null
  const changes = compareReleases(await loadOnce(from), await loadOnce(to))
  const texts = new Map<ChangesForm, string>()
  const textIn = (form: ChangesForm): string => getOrMake(texts, form, () => [...FORMS[form].write(changes)].join(''))
  lastComparison = { key, textIn }
  // The answer does not wait for the other form or for the disk.
  setTimeout(() => void cacheComparison(from, to, textIn), CACHING_DELAY_MS)
  return lastComparison
}

/** Errors are ignored: without the file, the next request takes as long as this one. */
async function cacheComparison(from: Manifest, to: Manifest, textIn: Comparison['textIn']): Promise<void> {
  for (const form of ['json', 'csv'] as const)
    await cache.write(derivedNameOf(from, to, form), textIn(form)).catch(() => null)
}

/** Requests often come for both directions of a pair, or for one release with several others. */
const recentReleases: LoadedRelease[] = []

async function loadOnce(manifest: Manifest): Promise<LoadedRelease> {
  const recent = recentReleases.find((loaded) => isSame(loaded.manifest, manifest))
  if (recent !== undefined) return recent
  const release = await loadRelease(folder, manifest, parse)
  recentReleases.unshift(release)
  recentReleases.splice(2)
  return release
}

/**
 * Lines of the release that was read last. Labels of blank nodes are meaningful in one release only, but are part of
 * the line.
 */
let knownLines: ReadonlyMap<string, Statement | undefined> = new Map()

/** Most lines of a release stand in the one that was read before it, and need not be parsed again. */
function parse(nquads: string): readonly Statement[] {
  const lines = nquads.split('\n').filter((line) => line !== '')
  const unknown = lines.filter((line) => !knownLines.has(line))
  const parsed = readNTriples(unknown.join('\n'))
  if (parsed.length !== unknown.length) throw new Error('The canonical form has one statement a line')
  const fresh = new Map(unknown.map((line, index) => [line, parsed[index]]))
  const statements = lines.flatMap((line) => fresh.get(line) ?? knownLines.get(line) ?? [])
  knownLines = new Map(lines.map((line, index) => [line, statements[index]]))
  return statements
}
