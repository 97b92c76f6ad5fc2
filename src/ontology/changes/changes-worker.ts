import { createHash } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { readNTriples } from '../../graph/syntax/n3.ts'
import { serve } from '../../platform/threads/serve.ts'
import { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { renderPieces } from '../render/render.ts'
import { jsonPieces } from '../views/json.ts'
import { compareReleases, type ReadRelease } from './compare.ts'
import { changesCsv } from './csv.ts'
import { COMPARING, compareStart } from './protocol.ts'
import type { Changes } from './schema.ts'

const { dataDir } = compareStart.parse(workerData)
const folder = new ReleaseFolder(dataDir)

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
  const key = [from, to].map(({ version, sha256 }) => `${version} ${sha256}`).join(' ')
  if (last?.key !== key) {
    last = null
    last = { key, changes: compareReleases(await read(from), await read(to)) }
  }
  return last.changes
}

async function read(manifest: Manifest): Promise<ReadRelease> {
  const nquads = await folder.graph(manifest)
  const digest = createHash('sha256').update(nquads).digest('hex')
  if (digest !== manifest.sha256) throw new Error(`${manifest.graphFile} is damaged`)
  return { manifest, statements: readNTriples(nquads) }
}
