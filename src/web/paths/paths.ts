import { ACCOUNT_PATHS } from './account.ts'
import { ADMINISTRATION_PATHS } from './administration.ts'
import { CATALOGUE_PATHS, CATALOGUE_RECORDS } from './catalogue.ts'
import { COMMENT_PATHS } from './comments.ts'
import { COVERAGE_PATHS } from './coverage.ts'
import { DATA_PATHS } from './data.ts'
import { EDITOR_PATHS } from './editor.ts'
import { ONTOLOGY_PATHS, ONTOLOGY_RECORDS } from './ontology.ts'
import { PROJECT_PATHS } from './projects.ts'
import { RELEASE_PATHS } from './release.ts'
import { SEARCH_PATHS } from './search.ts'

/**
 * Paths of all pages, by name. The server sends the application at these paths, and the router of the application shows
 * the page of that name. A trailing slash is ignored.
 */
export const PATHS = {
  start: '/',
  ...ACCOUNT_PATHS,
  ...ONTOLOGY_PATHS,
  ...CATALOGUE_PATHS,
  ...SEARCH_PATHS,
  ...COVERAGE_PATHS,
  ...DATA_PATHS,
  ...EDITOR_PATHS,
  ...PROJECT_PATHS,
  ...COMMENT_PATHS,
  ...ADMINISTRATION_PATHS,
  ...RELEASE_PATHS,
} as const

/** Paths of the API with the records that pages show, by the names of the pages. */
export const RECORDS: Readonly<Partial<Record<PageName, string | readonly string[]>>> = {
  ...ONTOLOGY_RECORDS,
  ...CATALOGUE_RECORDS,
}

export type PageName = keyof typeof PATHS
