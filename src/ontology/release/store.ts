import { Refusal } from '../../platform/errors.ts'
import type { ReleaseFolder } from './folder.ts'
import type { Manifest } from './manifest.ts'

export interface StoreOutcome {
  readonly status: 'created' | 'replaced' | 'unchanged'
  readonly manifest: Manifest
}

interface StoreOptions {
  readonly nquads: string
  /** Lets a version that exists get other content. */
  readonly replace?: boolean | undefined
  /** Activates the release. */
  readonly activate?: boolean | undefined
}

/** Adds a release to the folder, whose lock is held. */
export async function storeRelease(
  folder: ReleaseFolder,
  manifest: Manifest,
  { nquads, replace = false, activate = true }: StoreOptions,
): Promise<StoreOutcome> {
  const { version } = manifest
  const isThere = (await folder.versions()).includes(version)
  const unchanged = await findUnchanged(folder, manifest, replace)
  if (unchanged === null) await folder.write(manifest, nquads)
  if (activate) await folder.activate(version)
  if (unchanged !== null) return { status: 'unchanged', manifest: unchanged }
  return { status: isThere ? 'replaced' : 'created', manifest }
}

/** Finds a stored release with the same content; null if it has to be written. Refuses other content. */
async function findUnchanged(
  folder: ReleaseFolder,
  { version, sha256 }: Manifest,
  replace: boolean,
): Promise<Manifest | null> {
  const existing = await readExisting(folder, version, replace)
  if (existing === null) return null
  // If the graph in the folder has been damaged since, it is written again.
  if (existing.sha256 === sha256) return (await folder.isIntact(existing)) ? existing : null
  if (replace) return null
  throw new Refusal(
    'version_taken',
    `Version ${version} exists with other content, and a published release never changes. ` +
      'Give another --version, or --replace if nobody relies on it yet.',
  )
}

/** With `replace`, a damaged manifest counts as missing, so that ingesting again repairs it. */
async function readExisting(folder: ReleaseFolder, version: string, replace: boolean): Promise<Manifest | null> {
  try {
    return await folder.manifest(version)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (replace) return null
    const advice = 'Restore the file, or write the release again with --replace.'
    throw new Refusal(error.code, `${error.message} ${advice}`)
  }
}
