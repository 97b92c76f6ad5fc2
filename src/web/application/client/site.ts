/** The environment of the pages. */
interface Site {
  /** Whether this is a copy of the ontology in files, without a service. */
  readonly isCopy: boolean
  /** Whether there is, beside the release that is shown, a list of releases, and others. */
  readonly hasReleases: boolean
  /** The path below which all addresses are; with a slash at the end. */
  readonly base: string
}

export const site: Site = readSite()

function readSite(): Site {
  // Tests shape answers without a browser.
  if (typeof document === 'undefined') return { isCopy: false, hasReleases: true, base: '/' }
  const { copy } = document.documentElement.dataset
  if (copy === undefined) return { isCopy: false, hasReleases: true, base: '/' }
  const base = new URL('.', document.baseURI).pathname
  return { isCopy: true, hasReleases: copy === 'releases', base }
}

/** The address of something that is no page: `/api/version.json`. */
export function addressOf(path: string): string {
  return site.base + path.slice(1)
}
