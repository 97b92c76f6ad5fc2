import { createHash } from 'node:crypto'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, messageOf } from '../../platform/errors.ts'
import { readIfThere } from '../../platform/files/durable.ts'
import type { ReleaseFolder } from './folder.ts'
import { parseManifest } from './manifest.ts'

/** A release whose files are open: it can be read to the end, even if it is removed meanwhile. */
export interface ReleaseCopy {
  readonly version: string
  readonly manifestText: string
  readonly graphFile: string
  /** The digest of its graph. */
  readonly sha256: string
  readonly graph: () => AsyncIterable<Uint8Array>
  readonly close: () => Promise<void>
}

/** All intact releases, the active one, and the damaged ones with the reason. */
export interface ReleaseCopies {
  readonly active: string | null
  readonly history: string | null
  readonly releases: readonly ReleaseCopy[]
  readonly leftOut: readonly { readonly version: string; readonly reason: string }[]
}

/** Limit of attempts that a change of the active release interrupts; then the last copy is used as it is. */
const MAX_ATTEMPTS = 5

/**
 * Opens all releases. One that is added or removed meanwhile is copied as a whole or not at all. If another one is
 * activated meanwhile, it starts again, so that the copy has the state of one moment.
 */
export async function openReleases(folder: ReleaseFolder): Promise<ReleaseCopies> {
  for (let attempt = 1; ; attempt += 1) {
    const { active, ...copies } = await readCopies(folder)
    const isThere = copies.releases.some(({ version }) => version === active)
    const isUnchanged = (await folder.active()) === active && (await historyOf(folder)) === copies.history
    if (isUnchanged || attempt === MAX_ATTEMPTS) return { ...copies, active: isThere ? active : null }
    await Promise.all(copies.releases.map(({ close }) => close()))
  }
}

async function readCopies(folder: ReleaseFolder): Promise<ReleaseCopies> {
  const active = await folder.active()
  const history = await historyOf(folder)
  const releases: ReleaseCopy[] = []
  const leftOut: { version: string; reason: string }[] = []
  for (const version of [...(await folder.versions())].sort()) {
    try {
      const release = await openRelease(join(folder.root, 'releases', version), version)
      if (release !== null) releases.push(release)
    } catch (error) {
      leftOut.push({ version, reason: messageOf(error) })
    }
  }
  return { active, history, releases, leftOut }
}

function historyOf({ root }: ReleaseFolder): Promise<string | null> {
  return readIfThere(join(root, 'history.json'))
}

/** Null if it was removed. If its content is replaced between reading the two files, both are read again. */
async function openRelease(home: string, version: string): Promise<ReleaseCopy | null> {
  for (;;) {
    const file = join(home, 'manifest.json')
    const manifestText = await readIfThere(file)
    if (manifestText === null) return null
    const { graphFile, sha256 } = parseManifest(manifestText, file)
    const handle = await open(join(home, graphFile)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null
      throw error
    })
    if (handle !== null) return verifyCopy({ version, manifestText, graphFile, sha256 }, handle)
    if ((await readFile(file, 'utf8').catch(() => null)) === manifestText) throw new Error(`${graphFile} is missing`)
  }
}

async function verifyCopy(copy: Omit<ReleaseCopy, 'graph' | 'close'>, handle: FileHandle): Promise<ReleaseCopy> {
  const graph = () => handle.createReadStream({ start: 0, autoClose: false })
  const close = () => handle.close()
  const hash = createHash('sha256')
  for await (const chunk of graph()) if (chunk instanceof Uint8Array) hash.update(chunk)
  if (hash.digest('hex') === copy.sha256) return { ...copy, graph, close }
  await close()
  throw new Error('The digest of its graph differs from that in its manifest')
}
