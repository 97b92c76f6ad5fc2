import type { OntologyReleases } from '../contracts/sources.ts'

/** Limit of the releases that are checked, the newest first, because each has to be opened. */
const MAX_RELEASES = 10

const newestFirst = new Intl.Collator('en', { numeric: true })

/** Caches by digest if a release links a CCI to a technique: a release never changes. */
const linksCcisByDigest = new Map<string, boolean>()

/** The stored releases that link CCIs to techniques, except one, the newest first. */
export async function linkingReleases(releases: OntologyReleases, except: string): Promise<readonly string[]> {
  const versions = (await releases.versions()).filter((version) => version !== except)
  const linking: string[] = []
  for (const version of versions.sort((a, b) => newestFirst.compare(b, a)).slice(0, MAX_RELEASES))
    if (await linksCcis(releases, version)) linking.push(version)
  return linking
}

/** False if it cannot be opened, because then it cannot be chosen either. */
async function linksCcis(releases: OntologyReleases, version: string): Promise<boolean> {
  try {
    const { digest, links } = await releases.at(version).content()
    const isLinking = linksCcisByDigest.get(digest) ?? links.some(({ kind }) => kind === 'cci')
    linksCcisByDigest.set(digest, isLinking)
    return isLinking
  } catch {
    return false
  }
}
