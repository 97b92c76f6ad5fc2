import { Refusal } from '../../../../platform/errors.ts'
import { groupDigits } from '../../files/limits.ts'
import { shortenWords } from '../../files/xml.ts'
import { MAX_ITEMS, type ReferenceData } from '../items.ts'
import { Bundle } from './bundle.ts'
import { domainOf, ItemReader } from './item-reader.ts'
import type { AttackItem } from './items.ts'

/**
 * Reads a domain of ATT&CK from its STIX bundle: techniques, tactics and mitigations, sorted by id, with related
 * objects. Refuses a bundle without techniques (`not_reference_data`) or version (`missing_field`), a technique without
 * an id of ATT&CK (`invalid_id`), duplicate ids (`duplicate_item_id`), and everything that `Bundle` refuses.
 */
export function readAttack(bytes: Uint8Array): ReferenceData {
  const bundle = new Bundle(bytes)
  const techniques = bundle.ofType('attack-pattern')
  if (techniques.length === 0)
    throw new Refusal('not_reference_data', 'The STIX bundle is not ATT&CK: it has no attack-pattern.')
  const domain = domainOf(techniques)
  const items = new ItemReader(bundle, domain).read()
  if (items.length > MAX_ITEMS)
    throw new Refusal('too_large', `The bundle has more items than the limit of ${groupDigits(MAX_ITEMS)}.`)
  requireUnique(items)
  return { kind: 'attack', title: `ATT&CK ${domain}`, ...versionOf(bundle), items }
}

/** Returns the version of the collection; without one, the day of the latest change is the version. */
function versionOf(bundle: Bundle): { readonly version: string; readonly published: string | null } {
  const [collection] = bundle.ofType('x-mitre-collection')
  const published = collection?.modified?.slice(0, 10) ?? bundle.latest
  const version = collection?.x_mitre_version ?? published
  if (version === '')
    throw new Refusal('missing_field', 'The STIX bundle has no version: no x-mitre-collection and no modified.')
  return { version, published: published === '' ? null : published }
}

function requireUnique(items: readonly AttackItem[]): void {
  const knownIds = new Set<string>()
  for (const { id, stix_id } of items) {
    if (knownIds.has(id))
      throw new Refusal('duplicate_item_id', `The bundle has ${shortenWords(id)} twice (${shortenWords(stix_id)}).`)
    knownIds.add(id)
  }
}
