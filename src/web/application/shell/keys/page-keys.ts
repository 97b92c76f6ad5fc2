import type { PageName } from '../../../paths/paths.ts'

interface PageKey {
  readonly label: string
  readonly keys: readonly string[]
  /** Pages with this key; without it, all. */
  readonly pages?: readonly PageName[]
}

const READER: readonly PageName[] = ['benchmark', 'benchmarkRule']
const COMPARISONS: readonly PageName[] = [
  'benchmarkChanges',
  'stigComparison',
  'srgComparison',
  'componentComparison',
  'componentPublished',
]
const TRIAGE: readonly PageName[] = ['componentTriage', 'projectTriage']

/** The keys of all pages except the editor (`editor/keys/commands.ts`). */
const KEYS: readonly PageKey[] = [
  { label: 'Next rule', keys: ['j'], pages: READER },
  { label: 'Previous rule', keys: ['k'], pages: READER },
  { label: 'Next change', keys: ['j'], pages: COMPARISONS },
  { label: 'Previous change', keys: ['k'], pages: COMPARISONS },
  { label: 'Next comment', keys: ['j'], pages: TRIAGE },
  { label: 'Previous comment', keys: ['k'], pages: TRIAGE },
  { label: 'Save the decision', keys: ['Ctrl+Enter'], pages: TRIAGE },
  { label: 'Print with all texts', keys: ['Ctrl+p'], pages: [...READER, 'benchmarkChanges'] },
  { label: 'Hide the definition', keys: ['Escape'], pages: ['matrix', 'attacks'] },
  { label: 'Search', keys: ['/', 'Ctrl+k'] },
  { label: 'Keys', keys: ['?'] },
]

/** The keys of a page, by the name of its route. */
export function keysOf(page: unknown): readonly PageKey[] {
  return KEYS.filter(({ pages }) => pages === undefined || pages.some((name) => name === page))
}
