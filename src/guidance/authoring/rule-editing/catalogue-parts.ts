import { compareCodeUnits } from '../../../graph/term.ts'
import { identOf, LEGACY, legacyIdsOf } from '../../catalogue/benchmarks/shape.ts'
import type { Check, Fix, Rule } from '../../catalogue/xccdf/benchmark.ts'
import type { NewRule } from './new-rules.ts'

type IdentColumns = Pick<NewRule['row'], 'ident' | 'ident_system' | 'legacy_ids'>

/** The identifiers of a catalogue rule as columns: legacy ids in document order, the others sorted. */
export function identColumns({ idents }: Pick<Rule, 'idents'>): IdentColumns {
  const systems = idents.flatMap(({ system }) => (system === LEGACY ? [] : [system]))
  return {
    ident: identOf({ idents }),
    ident_system: systems.sort(compareCodeUnits)[0] ?? null,
    legacy_ids: legacyIdsOf({ idents }),
  }
}

/** The references of a fix as columns. */
export function fixColumns(fix: Fix | undefined): Pick<NewRule['row'], 'fixtext_fixref' | 'fix_id'> {
  return { fixtext_fixref: fix?.fixref ?? null, fix_id: fix?.fixId ?? null }
}

/** A check of the catalogue as a row. */
export function checkRow({ system, content, contentRefName, contentRefHref }: Check): NewRule['checks'][number] {
  return { system, content, content_ref_name: contentRefName, content_ref_href: contentRefHref }
}
