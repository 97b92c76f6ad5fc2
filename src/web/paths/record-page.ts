import { ONTOLOGY_PATHS, ONTOLOGY_RECORDS } from './ontology.ts'

const records: Readonly<Record<string, string>> = ONTOLOGY_RECORDS

/** How the path of a record begins, and that of its page. */
const PAGES = Object.entries<string>(ONTOLOGY_PATHS).flatMap(([name, page]) => {
  const record = records[name]
  return record === undefined ? [] : [[beginning(record), beginning(page)] as const]
})

/** The path of the page that shows the JSON document at a path of the API; null where there is none. */
export function pageOfRecord(path: string): string | null {
  for (const [record, page] of PAGES) {
    const [, name] = path.startsWith(record) ? (/^([^/]+)\.json$/.exec(path.slice(record.length)) ?? []) : []
    if (name !== undefined) return `${page}${readable(name)}/`
  }
  return null
}

function beginning(pattern: string): string {
  return pattern.slice(0, pattern.indexOf(':'))
}

/** In paths, a colon may stand as it is. */
function readable(name: string): string {
  return name.replaceAll('%3A', ':')
}
