import type { z } from 'zod'
import type { Reader } from '../../database/transaction.ts'
import { nistControls } from '../benchmarks/nist-controls.ts'
import { controlsOf } from '../reference-data/controls/control-names.ts'
import { findCcis, listVersions, type ReferenceSource } from '../reference-data/reader.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { ruleDetailSchema } from './schemas.ts'
import { ccisOf } from './shape.ts'

/** The newest CCI list; null where none is loaded. */
export async function findCciList(reader: Reader): Promise<ReferenceSource | null> {
  const [newest] = await listVersions(reader, 'cci_list')
  return newest ?? null
}

/** The CCIs of a rule with their definitions and controls. */
export async function readRuleCcis(
  reader: Reader,
  rule: Pick<Rule, 'idents'>,
  list: ReferenceSource | null,
): Promise<Pick<z.infer<typeof ruleDetailSchema>, 'ccis' | 'cci_list'>> {
  const ids = ccisOf(rule)
  const cciRecords = list === null ? null : await findCcis(reader, list, ids)
  const ccis = ids.map((id) => {
    const cci = cciRecords?.get(id)
    const controls = cci === undefined ? [] : [...controlsOf(cci.references)]
    return { id, control: nistControls().get(id) ?? null, definition: cci?.definition ?? null, controls }
  })
  return { ccis, cci_list: list && { version: list.version, digest: list.digest } }
}
