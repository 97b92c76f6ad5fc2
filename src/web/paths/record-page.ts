import { ONTOLOGY_PATHS, ONTOLOGY_RECORDS } from './ontology.ts'

const records: Readonly<Record<string, string>> = ONTOLOGY_RECORDS

/** The beginning of the path of a record, and of the path of its page. */
const PAGES = Object.entries<string>(ONTOLOGY_PATHS).flatMap(([name, page]) => {
  const record = records[name]
  return record === undefined ? [] : [[prefixOf(record), prefixOf(page)] as const]
})

/** The path of the page that shows the JSON document at a path of the API; null if no page does. */
export function pageOfRecord(path: string): string | null {
  for (const [record, page] of PAGES) {
    const [, name] = path.startsWith(record) ? (/^([^/]+)\.json$/.exec(path.slice(record.length)) ?? []) : []
    if (name !== undefined) return `${page}${readableName(name)}/`
  }
  return null
}

function prefixOf(pattern: string): string {
  return pattern.slice(0, pattern.indexOf(':'))
}

/** Colons need no encoding in paths. */
function readableName(name: string): string {
  return name.replaceAll('%3A', ':')
}
