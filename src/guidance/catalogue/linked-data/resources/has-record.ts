import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Parts } from '../../../parts/parts.ts'
import { hasBenchmark } from '../../benchmarks/has-benchmark.ts'
import { listedControl } from '../../benchmarks/listed-controls.ts'
import { findNamedRule, findRelease } from '../../open/find.ts'
import { cciNamed, controlNamed } from '../../reference-data/controls/control-names.ts'
import { shortId } from '../../xccdf/id.ts'
import { decodeSegment } from '../graph/iris.ts'

const REFERENCE_PATH = /^\/(ccis|controls)\/([^/]+)$/
const BENCHMARK = /^\/benchmarks\/([^/]+)\/([^/]+)(?:\/rules\/([^/]+))?$/
const REQUIREMENT = /^\/requirements\/([^/]+)$/

type RecordParts = Pick<Parts, 'database' | 'settings'>

/**
 * Whether there is a record for a page such as `/stigs/7`, `/benchmarks/RHEL_9_STIG/V2R7`, `/ccis/CCI-000366` or
 * `/controls/AC-2%281%29`. If the catalogue is not public, returns true for every release and requirement, so that
 * strangers learn nothing.
 */
export async function hasRecord({ database: { read }, settings }: RecordParts, path: string): Promise<boolean> {
  const reference = REFERENCE_PATH.exec(path)
  if (reference !== null) return hasReference(read, reference)
  const release = BENCHMARK.exec(path)
  const requirement = REQUIREMENT.exec(path)
  if (release === null && requirement === null) return hasBenchmark(read, path)
  if (!settings.cataloguePublic) return true
  return release === null ? hasRequirement(read, requirement) : hasRelease(read, release)
}

function hasReference(reader: Reader, [, folder, segment = '']: RegExpExecArray): Promise<boolean> {
  const name = decodeSegment(segment)
  const id = folder === 'ccis' ? cciNamed(name) : controlNamed(name)
  return id === null ? Promise.resolve(false) : isKnown(reader, id)
}

async function hasRelease(reader: Reader, [, benchmark = '', version = '', rule]: RegExpExecArray): Promise<boolean> {
  try {
    const id = shortId('benchmark', decodeSegment(benchmark))
    const { release } = await findRelease(reader, id, decodeSegment(version))
    if (rule !== undefined) await findNamedRule(reader, release, shortId('rule', decodeSegment(rule)))
    return true
  } catch (error) {
    return !(error instanceof Refusal && error.code === 'not_found')
  }
}

async function hasRequirement(reader: Reader, match: RegExpExecArray | null): Promise<boolean> {
  const requirement = decodeSegment(match?.[1] ?? '')
  const rule = reader
    .selectFrom('benchmark_rules')
    .select('id')
    .where((is) => is.or([is('group_title', '=', requirement), is('version', '=', requirement)]))
  return (await rule.limit(1).executeTakeFirst()) !== undefined
}

/** Whether the CCI or control is in DISA's list or a loaded one. True if the database cannot answer now. */
async function isKnown(reader: Reader, id: string): Promise<boolean> {
  if (listedControl(id) !== null) return true
  try {
    // The index on items begins with the source.
    const sources = reader.selectFrom('reference_sources').select('id')
    const item = reader.selectFrom('reference_items').select('id').where('source_id', 'in', sources)
    const reference = reader.selectFrom('reference_controls').select('id').where('control', '=', id)
    return (await item.where('item_id', '=', id).unionAll(reference).limit(1).executeTakeFirst()) !== undefined
  } catch {
    return true
  }
}
