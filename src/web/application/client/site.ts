export interface CopyContent {
  /** Whether there are other releases besides the shown one, and a list of them. */
  readonly hasReleases: boolean
  /** Whether there is a catalogue of STIGs and SRGs. */
  readonly hasCatalogue: boolean
}

/** The environment of the pages. */
interface Site extends CopyContent {
  /** Whether this is a copy of the ontology in files, without a service. */
  readonly isCopy: boolean
  /** The root path of all addresses, with a final slash. */
  readonly base: string
}

const SERVICE: Site = { isCopy: false, hasReleases: true, hasCatalogue: true, base: '/' }

export const site: Readonly<Site> = readSite()

/**
 * Sets the site for pages of a copy that are rendered into files, because no document describes it then. Addresses are
 * relative to the root of the tree. Call it before any page is loaded.
 */
export function renderCopy(content: CopyContent): void {
  Object.assign(site, { ...content, isCopy: true, base: '' })
}

function readSite(): Site {
  // Tests shape answers without a browser.
  if (typeof document === 'undefined') return SERVICE
  const { copy, catalogue } = document.documentElement.dataset
  if (copy === undefined) return SERVICE
  const base = new URL('.', document.baseURI).pathname
  return { isCopy: true, hasReleases: copy === 'releases', hasCatalogue: catalogue !== undefined, base }
}

/** The address of a file or an answer of the API: `/api/version.json`. */
export function addressOf(path: string): string {
  return site.base + path.slice(1)
}
