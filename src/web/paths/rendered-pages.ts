import type { PageName } from './paths.ts'

/** Pages whose content the server renders into the document. They show the same to everybody. */
export const RENDERED_PAGES: ReadonlySet<PageName> = new Set<PageName>([
  'start',
  'matrix',
  'attacks',
  'tactic',
  'technique',
  'artifact',
  'attack',
  'weakness',
  'subject',
  'changes',
  'guidance',
  'benchmark',
  'benchmarkRule',
  'benchmarkChanges',
  'requirement',
  'cci',
  'control',
  'coverage',
  'ownList',
  'search',
  'api',
])
