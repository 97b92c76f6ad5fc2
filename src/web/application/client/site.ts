export interface CopyContent {
  /** Whether there is, beside the release that is shown, a list of releases, and others. */
  readonly hasReleases: boolean
  /** Whether there is a catalogue of STIGs and SRGs. */
  readonly hasCatalogue: boolean
}

/** The environment of the pages. */
interface Site extends CopyContent {
  /** Whether this is a copy of the ontology in files, without a service. */
  readonly isCopy: boolean
  /** The path below which all addresses are; with a slash at the end. */
  readonly base: string
}

const SERVICE: Site = { isCopy: false, hasReleases: true, hasCatalogue: true, base: '/' }

export const site: Readonly<Site> = readSite()

/**
 * The pages of a copy that are rendered into its files: no document says what there is. Addresses are relative to the
 * beginning of the tree, which each document names. To be called before any page is loaded.
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

/** The address of something that is no page: `/api/version.json`. */
export function addressOf(path: string): string {
  return site.base + path.slice(1)
}
