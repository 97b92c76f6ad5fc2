/** A page among published files. */
export interface EmptyPage {
  /** Its address below the beginning of the tree, with a slash at the end: `/technique/d3f:FileAnalysis/`. */
  readonly url: string
  /** The document without content. */
  readonly document: string
}

/**
 * Puts the content of pages into their documents, from the answers among the published files; in the same order. `fileOf`
 * gives the file of an answer by its address; undefined where its name is the address.
 */
export type FillPages = (
  pages: readonly EmptyPage[],
  fileOf: (url: string) => string | undefined,
) => Promise<readonly string[]>
