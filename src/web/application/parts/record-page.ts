import type { PageName } from '../../paths/paths.ts'
import { PATHS } from '../../paths/paths.ts'

/** Which page shows the JSON document at a path of the API, such as one that the search found. */
const PAGES_OF_RECORDS: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/technique\/([^/]+)\.json$/, '/technique/'],
  [/^\/api\/tactic\/([^/]+)\.json$/, '/tactic/'],
  [/^\/api\/dao\/artifact\/([^/]+)\.json$/, '/dao/artifact/'],
  [/^\/api\/offensive-technique\/attack\/([^/]+)\.json$/, '/offensive-technique/attack/'],
  [/^\/api\/weakness\/cwe\/([^/]+)\.json$/, '/weakness/cwe/'],
  [/^\/api\/ontology\/describe\/([^/]+)\.json$/, '/ontology/describe/'],
]

/** The path of the page; the given path itself where there is no page of it. */
export function pageOfRecord(path: string): string {
  for (const [pattern, page] of PAGES_OF_RECORDS) {
    const [, name] = pattern.exec(path) ?? []
    if (name !== undefined) return hasPage(page) ? `${page}${readable(name)}/` : path
  }
  return path
}

/** In paths, a colon may stand as it is. */
function readable(name: string): string {
  return name.replaceAll('%3A', ':')
}

function hasPage(folder: string): boolean {
  return pagePaths.some((path) => path.startsWith(`${folder}:`))
}

const pagePaths: readonly string[] = Object.values<string>(PATHS satisfies Record<PageName, string>)
