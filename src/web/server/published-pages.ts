import { ONTOLOGY_PATHS, ONTOLOGY_RECORDS } from '../paths/ontology.ts'
import { SEARCH_PATHS } from '../paths/search.ts'
import { readBuiltPages, type Asset } from './built-pages.ts'

interface PublishedPages {
  readonly document: string
  readonly assets: readonly Asset[]
  readonly single: readonly string[]
  readonly records: readonly { readonly page: string; readonly record: string }[]
}

/** The pages of a copy of the ontology in files, and their document and assets. */
export function publishedPages(): PublishedPages {
  const records = Object.entries(ONTOLOGY_PATHS).flatMap(([name, page]) => {
    const record = recordsByName[name]
    return record === undefined ? [] : [{ page, record }]
  })
  const single = [ONTOLOGY_PATHS.matrix, ONTOLOGY_PATHS.attacks, SEARCH_PATHS.search]
  return { ...readBuiltPages(), single, records }
}

const recordsByName: Readonly<Record<string, string>> = ONTOLOGY_RECORDS
