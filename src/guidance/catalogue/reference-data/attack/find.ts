import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import { absentRefusal, findFirstDocument, listVersions, type ReferenceSource } from '../reader.ts'
import { attackSchema, type AttackItem } from './items.ts'

/**
 * Finds the domains of ATT&CK in a version, by default the newest of each. Refuses `reference_data_absent`, and
 * `not_found` for a version that no domain has.
 */
export async function requireDomains(reader: Reader, version: string | undefined): Promise<readonly ReferenceSource[]> {
  const versions = await listVersions(reader, 'attack')
  if (versions.length === 0) throw absentRefusal('attack')
  const domains = new Map<string, ReferenceSource>()
  for (const source of versions)
    if ((version === undefined || source.version === version) && !domains.has(source.title))
      domains.set(source.title, source)
  if (domains.size > 0) return [...domains.values()]
  const names = versions.map((source) => `${source.title} ${source.version}`).join(', ')
  throw new Refusal('not_found', `There is no version ${version ?? ''} of ATT&CK. There is: ${names}.`)
}

/**
 * Finds a technique, tactic or mitigation by its id in any spelling, such as `t1110.001`. Refuses `not_found` for
 * others.
 */
export async function requireItem(
  reader: Reader,
  sources: readonly ReferenceSource[],
  name: string,
): Promise<{ readonly item: AttackItem; readonly source: ReferenceSource }> {
  const id = name.includes('--') ? name.toLowerCase() : name.toUpperCase()
  const found = await findFirstDocument(reader, sources, id)
  if (found !== null) return { item: attackSchema.parse(found.document), source: found.source }
  const searched = sources.map((source) => `${source.title} ${source.version}`).join(', ')
  throw new Refusal('not_found', `There is no ${name} in ${searched}.`)
}
