import type { PageName } from './paths.ts'

/** Pages whose content the server sends with the document. They show everybody the same, and need nothing of a browser to begin. */
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
  'guidance',
  'benchmark',
  'benchmarkRule',
  'requirement',
  'cci',
  'control',
])
