import type { ReleaseChange } from '../../contracts/releases.ts'
import { Refusal } from '../../platform/errors.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { EarlierRelease } from '../release/history.ts'
import type { Manifest } from '../release/manifest.ts'
import { explainNoneActive, unknownRelease } from '../release/unknown.ts'

/** An ingest holds the lock for seconds, so people wait that long for it. */
const WAIT_MS = 5000

/**
 * Called when everything is checked and nothing has changed yet; what it throws stops the change. The lock is
 * held meanwhile.
 */
type ConfirmChange<T> = (change: T) => Promise<void>

/** Activates a release. Refuses one that does not exist or is damaged. */
export async function activateRelease(
  folder: ReleaseFolder,
  version: string,
  confirm: ConfirmChange<ReleaseChange>,
): Promise<ReleaseChange> {
  return folder.exclusively(async () => {
    await requireIntact(folder, version)
    const change = { from: await folder.active(), to: version }
    await confirm(change)
    await folder.activate(version)
    return change
  }, WAIT_MS)
}

/** Activates the release that was active before: the latest one that still exists and is intact. */
export async function rollbackRelease(
  folder: ReleaseFolder,
  confirm: ConfirmChange<ReleaseChange>,
): Promise<ReleaseChange> {
  return folder.exclusively(async () => {
    const from = await folder.active()
    const earlier = await findEarlierRelease(folder)
    const change = { from, to: earlier.version }
    await confirm(change)
    await folder.rollback(earlier)
    return change
  }, WAIT_MS)
}

/** Finds the release that a rollback would activate. */
export async function findEarlierRelease(folder: ReleaseFolder): Promise<EarlierRelease> {
  const earlier = await findLatestIntact(folder, (manifest) => folder.isIntact(manifest))
  if (earlier !== null) return earlier
  const active = await folder.active()
  const detail =
    active === null
      ? await explainNoneActive(folder)
      : `No earlier release than ${active} still exists. Activate one by its version.`
  throw new Refusal('no_earlier_release', detail)
}

/** Removes a release and its files, also a damaged one. Refuses the one that is served. */
export async function removeRelease(
  folder: ReleaseFolder,
  version: string,
  confirm: ConfirmChange<string>,
): Promise<void> {
  await folder.exclusively(async () => {
    await requireRemovable(folder, version)
    await confirm(version)
    await folder.remove(version)
  }, WAIT_MS)
}

export async function requireRemovable(folder: ReleaseFolder, version: string): Promise<void> {
  if (!(await folder.versions()).includes(version)) throw await unknownRelease(folder, version)
  if ((await folder.active()) === version)
    throw new Refusal('release_is_active', `Release ${version} is the one that is served. Activate another one first.`)
}

async function requireIntact(folder: ReleaseFolder, version: string): Promise<void> {
  const manifest = await folder.manifest(version)
  if (manifest === null) throw await unknownRelease(folder, version)
  if (!(await folder.isIntact(manifest)))
    throw new Refusal('folder_unusable', `The graph of release ${version} is damaged or missing.`)
}

/** Finds the latest of the earlier releases that is still complete. */
export async function findLatestIntact(
  folder: ReleaseFolder,
  isIntact: (manifest: Manifest) => Promise<boolean>,
): Promise<EarlierRelease | null> {
  for (const earlier of await folder.earlier()) {
    const manifest = await folder.manifest(earlier.version).catch(() => null)
    if (manifest !== null && (await isIntact(manifest))) return earlier
  }
  return null
}
