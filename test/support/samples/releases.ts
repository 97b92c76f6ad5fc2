import { randomBytes } from 'node:crypto'
import type { ReleaseFolder } from '../../../src/ontology/index.ts'
import type { Sample } from '../sample-requests.ts'

/** Successful requests that activate, roll back or remove releases of the ontology. */
export const RELEASE_SAMPLES: Readonly<Record<string, Sample>> = {
  activateRelease: async ({ guidance }) => ({
    params: { version: (await guidance.service.folder.active()) ?? 'none' },
  }),
  rollBackRelease: async ({ guidance }) => {
    const { folder } = guidance.service
    const active = await folder.active()
    if (active === null) return {}
    const other = active === 'sample-a' ? 'sample-b' : 'sample-a'
    await copyRelease(folder, active, other)
    await folder.activate(other)
    await folder.activate(active)
    return {}
  },
  removeRelease: async ({ guidance }) => {
    const { folder } = guidance.service
    const version = `sample-${randomBytes(6).toString('hex')}`
    await copyRelease(folder, await folder.active(), version)
    return { params: { version } }
  },
}

async function copyRelease(folder: ReleaseFolder, from: string | null, to: string): Promise<void> {
  const manifest = from === null ? null : await folder.manifest(from)
  if (manifest !== null) await folder.write({ ...manifest, version: to }, await folder.graph(manifest))
}
