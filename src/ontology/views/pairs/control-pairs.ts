import { readQuery } from '../../../graph/query.ts'
import { compareCodeUnits, iri, text, type Literal } from '../../../graph/term.ts'
import { d3f } from '../../../graph/vocabulary.ts'
import { findControls } from '../../controls/controls.ts'
import type { Release } from '../../release/release.ts'
import type { Results, ResultRow } from '../rows.ts'
import { pairsOf } from './pairs.ts'

const NAMES = readQuery(new URL('./control-names.rq', import.meta.url), ['control', 'name'])

/** Each technique with each control of CCI or NIST SP 800-53 that states something of it. */
export async function controlPairs(release: Release): Promise<Results> {
  const { assertions } = await findControls(release)
  const names = await readNames(release)
  const controls = new Map<string, ResultRow>()
  for (const { control, kind, label } of assertions) {
    const name = names.get(control) ?? release.summaries.values(control, d3f.definition)[0]
    const controlTerms = controls.get(control)
    // A control of several labels or kinds has those that come first.
    if (controlTerms !== undefined) continue
    controls.set(control, {
      control: iri(control),
      control_id: text(label),
      control_kind: text(kind === d3f.CCIControl ? 'cci' : 'nist'),
      ...(name !== undefined && { control_label: name }),
    })
  }
  return pairsOf(release, {
    paths: assertions.map(({ technique, control, relation }) => ({
      technique,
      other: control,
      via: [relation],
    })),
    viaColumns: ['control_rels'],
    columns: ['control', 'control_id', 'control_kind', 'control_label'],
    describe: (control) => controls.get(control) ?? { control: iri(control) },
  })
}

/** The first name of each control by code units. */
async function readNames({ graph }: Release): Promise<ReadonlyMap<string, Literal>> {
  const names = new Map<string, Literal>()
  for (const { control, name } of await graph.select(NAMES)) {
    const controlName = names.get(control.value)
    if (name.type !== 'literal') continue
    if (controlName === undefined || compareCodeUnits(name.value, controlName.value) < 0) names.set(control.value, name)
  }
  return names
}
