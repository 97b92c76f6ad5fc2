import { compareCodeUnits } from '../../graph/term.ts'
import { messageOf } from '../../platform/errors.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { findLatestIntact } from './administer.ts'

/** A release of the folder: its manifest, or why that cannot be read. */
export type StoredRelease =
  | { readonly version: string; readonly manifest: Manifest }
  | { readonly version: string; readonly manifest: null; readonly fault: string }

/** All releases, the newest first; those that cannot be read at the end. */
export async function findReleases(folder: ReleaseFolder): Promise<readonly StoredRelease[]> {
  const releases = await Promise.all((await folder.versions()).map(async (version) => readStored(folder, version)))
  return releases.flatMap((release) => release ?? []).sort(byDate)
}

/** The manifests that can be read, the newest first. */
export async function findManifests(folder: ReleaseFolder): Promise<readonly Manifest[]> {
  return (await findReleases(folder)).flatMap(({ manifest }) => manifest ?? [])
}

export interface ReleaseList {
  /** The newest first, without those whose manifest cannot be read. */
  readonly releases: readonly Manifest[]
  readonly active: string | null
  /** The version that a rollback would activate, as far as it is known without reading unchanged graphs again. */
  readonly previous: string | null
  /** Versions that cannot be served, because their manifest or graph is incomplete. */
  readonly damaged: readonly string[]
}

export async function listReleases(folder: ReleaseFolder): Promise<ReleaseList> {
  const releases = await findReleases(folder)
  const seemsIntact = (manifest: Manifest): Promise<boolean> => folder.seemsIntact(manifest)
  const damaged: string[] = []
  for (const { version, manifest } of releases)
    if (manifest === null || !(await seemsIntact(manifest))) damaged.push(version)
  const earlier = await findLatestIntact(folder, seemsIntact)
  return {
    releases: releases.flatMap(({ manifest }) => manifest ?? []),
    active: await folder.active(),
    previous: earlier?.version ?? null,
    damaged,
  }
}

/** Null where it was removed meanwhile. */
async function readStored(folder: ReleaseFolder, version: string): Promise<StoredRelease | null> {
  try {
    const manifest = await folder.manifest(version)
    return manifest === null ? null : { version, manifest }
  } catch (error) {
    return { version, manifest: null, fault: messageOf(error) }
  }
}

function byDate(a: StoredRelease, b: StoredRelease): number {
  const [keysOfA, keysOfB] = [sortKeys(a), sortKeys(b)]
  const orders = keysOfA.map((key, index) => compareCodeUnits(keysOfB[index] ?? '', key))
  return orders.find((order) => order !== 0) ?? 0
}

function sortKeys({ version, manifest }: StoredRelease): readonly string[] {
  return manifest === null ? ['', '', version] : [manifest.releaseDate, manifest.ingestedAt, version]
}
