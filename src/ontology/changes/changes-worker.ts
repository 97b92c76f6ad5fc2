import { createHash } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { readNTriples } from '../../graph/syntax/n3.ts'
import { serve } from '../../platform/threads/serve.ts'
import { DerivedFiles, type DerivedName } from '../derived/derived-files.ts'
import { ReleaseFolder } from '../release/folder.ts'
import { isSame, type Manifest } from '../release/manifest.ts'
import { renderPieces } from '../render/render.ts'
import { jsonPieces } from '../views/json.ts'
import { compareReleases, type ReadRelease } from './compare.ts'
import { changesCsv } from './csv.ts'
import { COMPARING, compareStart } from './protocol.ts'
import { changesSchema, type Changes } from './schema.ts'

const { dataDir } = compareStart.parse(workerData)
const folder = new ReleaseFolder(dataDir)
const kept = new DerivedFiles(folder.root)

/** What was compared last: it is asked for in several forms and codings. */
let last: { readonly key: string; readonly changes: Changes } | null = null

const FORMS = {
  json: { mediaType: 'application/json; charset=utf-8', write: jsonPieces },
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', write: changesCsv },
} as const

serve(COMPARING, {
  changes: async ({ from, to, form, coding }, moved) => {
    const changes = await compare(from, to)
    const { mediaType, write } = FORMS[form]
    const rendered = await renderPieces(write(changes), mediaType, coding)
    const body = new Uint8Array(rendered.body)
    moved.push(body.buffer)
    return { ...rendered, body }
  },
})

async function compare(from: Manifest, to: Manifest): Promise<Changes> {
  const of = [from, to].flatMap(({ version, sha256, releaseDate, prefixes }) => {
    return [version, sha256, releaseDate, JSON.stringify(prefixes)]
  })
  const key = of.join('\n')
  if (last?.key === key) return last.changes
  last = null
  const name = { kind: 'changes', of } as const
  const known = await readKept(name)
  const changes = known ?? compareReleases(await read(from), await read(to))
  last = { key, changes }
  // A folder that cannot be written costs the next who asks the same time, and nothing else.
  if (known === null) await kept.write(name, JSON.stringify(changes)).catch(() => null)
  return changes
}

/** What was worked out before, by whatever process. */
async function readKept(name: DerivedName): Promise<Changes | null> {
  const text = await kept.read(name)
  return text === null ? null : (changesSchema.safeParse(JSON.parse(text)).data ?? null)
}

/** The releases that were read last: both directions of a pair are asked for, and one release with several. */
const readLast: ReadRelease[] = []

async function read(manifest: Manifest): Promise<ReadRelease> {
  const known = readLast.find((one) => isSame(one.manifest, manifest))
  if (known !== undefined) return known
  const found = await readFrom(manifest)
  readLast.unshift(found)
  readLast.splice(2)
  return found
}

async function readFrom(manifest: Manifest): Promise<ReadRelease> {
  const nquads = await folder.graph(manifest)
  const digest = createHash('sha256').update(nquads).digest('hex')
  if (digest !== manifest.sha256) throw new Error(`${manifest.graphFile} is damaged`)
  return { manifest, statements: readNTriples(nquads) }
}
