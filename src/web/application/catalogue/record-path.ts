import { site } from '../client/site.ts'
import { cciPath, controlPath } from './release-paths.ts'

/** The catalogue page of a CCI or a control of the ontology, if there is a catalogue. */
export function cataloguePath({ kind, id }: { readonly kind: string; readonly id: string | null }): string | null {
  if (site.isCopy || id === null) return null
  if (kind === 'cci') return cciPath(id)
  return kind === 'control' ? controlPath(id) : null
}
