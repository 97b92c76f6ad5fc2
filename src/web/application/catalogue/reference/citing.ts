import { addressOf } from '../../client/site.ts'
import type { Citation } from '../../parts/cite/citation.ts'

/** A version of a list that an operator loaded. */
interface ListVersion {
  readonly title: string
  readonly version: string
  readonly published: string | null
}

/** The name and version of a list. */
export function workOf({ title, version }: ListVersion): string {
  return `${title}, version ${version}`
}

/** How to cite an item of a list; `path` is the page of the item. */
export function citationOf(source: ListVersion, item: { readonly title: string; readonly path: string }): Citation {
  const date = source.published?.slice(0, 10) ?? null
  return {
    title: item.title,
    id: null,
    work: workOf(source),
    // The version of the CCI list is its date.
    date: date === source.version ? null : date,
    address: new URL(addressOf(item.path), location.href).href,
  }
}
