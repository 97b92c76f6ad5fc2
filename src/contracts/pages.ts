/** A page among published files. */
export interface EmptyPage {
  /** Its path below the root of the tree, with a slash at the end: `/technique/d3f:FileAnalysis/`. */
  readonly url: string
  /** The document without content. */
  readonly document: string
}

/**
 * Renders pages into their documents, from the published answers, and returns them in the same order. `fileOf` returns the
 * file of an answer; undefined if it is named like the address.
 */
export type FillPages = (
  pages: readonly EmptyPage[],
  fileOf: (url: string) => string | undefined,
) => Promise<readonly string[]>
