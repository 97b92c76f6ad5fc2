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
  /** Serves the release from now on. */
  readonly activate?: boolean | undefined
}

/** Adds a release to the folder, whose lock is held. */
export async function storeRelease(
  folder: ReleaseFolder,
  manifest: Manifest,
  { nquads, replace, activate = true }: StoreOptions,
): Promise<StoreOutcome> {
  const existing = await folder.manifest(manifest.version)
  const same = existing?.sha256 === manifest.sha256
  if (existing !== null && !same && replace !== true) {
    throw new Refusal(
      'version_taken',
      `Version ${manifest.version} exists with other content, and a published release never changes. ` +
        'Give another --version, or --replace if nobody relies on it yet.',
    )
  }
  if (!same) await folder.write(manifest, nquads)
  if (activate) await folder.activate(manifest.version)
  if (same) return { status: 'unchanged', manifest: existing }
  return { status: existing === null ? 'created' : 'replaced', manifest }
}
