import { workerData } from 'node:worker_threads'
import { serve } from '../../platform/threads/serve.ts'
import { findControls } from '../controls/controls.ts'
import { findCounters } from '../documents/counters.ts'
import { findDefenses } from '../documents/defenses.ts'
import { findContent } from '../documents/documents.ts'
import { findLicences } from '../licences/licences.ts'
import { lookUp, nearest } from '../lookup/lookup.ts'
import { ReleaseFolder } from '../release/folder.ts'
import { openRelease, type Release } from '../release/release.ts'
import { openRemoteRelease } from '../release/remote-release.ts'
import { packStatements } from '../release/statements.ts'
import { allStatements } from '../views/whole/statements.ts'
import { hashPaths } from './hash-paths.ts'
import { listPaths } from './paths.ts'
import { RENDERING, renderStart } from './protocol.ts'
import { render, type AnswerDigest } from './render.ts'
import { writeAnswer } from './write.ts'

const { dataDir, manifest, engine } = renderStart.parse(workerData)
const release =
  engine == null ? await openRelease(new ReleaseFolder(dataDir), manifest) : await openRemoteRelease(engine, manifest)

let packedRelease: Release | null = null

/** For files of all records. */
function releaseForFiles(): Release {
  packedRelease ??= { ...release, statements: packStatements([...allStatements(release)]) }
  return packedRelease
}

serve(RENDERING, {
  render: async ({ path, coding, form }, moved) => {
    const rendered = await render(release, path, { coding, form })
    // Bytes of its own: what Buffer.concat returns may be a slice of a pool.
    const body = new Uint8Array(rendered.body)
    moved.push(body.buffer)
    return { ...rendered, body }
  },
  write: async ({ files, compress }) => {
    const written: AnswerDigest[] = []
    for (const { path, file } of files) written.push(await writeAnswer(releaseForFiles(), path, { file, compress }))
    return written
  },
  paths: (options) => listPaths(releaseForFiles(), options),
  hashes: (portion) => hashPaths(release, portion),
  memory: () => {
    const { heapTotal, external } = process.memoryUsage()
    return { heap: heapTotal, external }
  },
  licences: async () => [...(await findLicences(release))],
  controls: () => findControls(release),
  content: () => findContent(release),
  lookUp: (names) => lookUp(release, names),
  nearest: async (names) => [...(await nearest(release, names))],
  counters: ({ techniques, limit }) => findCounters(release, techniques, limit),
  defenses: ({ subjects, limit }) => findDefenses(release, subjects, limit),
})
