import { z } from 'zod'
import { domainNamed } from './domains.ts'
import { type ListItem, type ReadList, refuseEntry } from './list-item.ts'

const bundle = z.object({ objects: z.array(z.unknown()) })

const reference = z.object({ source_name: z.string(), external_id: z.string() })

const stixObject = z.object({
  type: z.enum(['attack-pattern', 'course-of-action']),
  id: z.string(),
  name: z.string().catch(''),
  revoked: z.boolean().catch(false),
  x_mitre_deprecated: z.boolean().catch(false),
  x_mitre_domains: z.array(z.string()).catch([]),
  external_references: z.array(z.unknown()).catch([]),
})

type StixObject = z.output<typeof stixObject>

/** The source name of ATT&CK's references in all of its domains, which `x_mitre_domains` tells apart. */
const ATTACK_SOURCES = new Set(['mitre-attack', 'mitre-mobile-attack', 'mitre-ics-attack'])
const DEFENSIVE_SOURCES = new Set(['d3fend', 'mitre-d3fend'])

/** Whether JSON is a STIX bundle. */
export function isBundle(content: object): boolean {
  return 'type' in content && content.type === 'bundle'
}

/**
 * Reads the attack patterns of a STIX bundle by the references to ATT&CK, ATLAS or SPARTA, and the courses of action
 * that refer to D3FEND. Revoked and deprecated objects are left out; other objects are ignored.
 */
export function readBundle(content: unknown, place: string): ReadList {
  const { data } = bundle.safeParse(content)
  if (data === undefined) throw refuseEntry(`${place}objects`, 'A STIX bundle has a list "objects".')
  const items: ListItem[] = []
  let leftOut = 0
  for (const [index, raw] of data.objects.entries()) {
    const parsed = stixObject.safeParse(raw)
    if (!parsed.success) continue
    if (parsed.data.revoked || parsed.data.x_mitre_deprecated) leftOut += 1
    else items.push(...itemsOf(parsed.data, `${place}objects[${index}]`))
  }
  return { items, leftOut }
}

function itemsOf(object: StixObject, place: string): readonly ListItem[] {
  const isAttack = object.type === 'attack-pattern'
  const references = object.external_references.flatMap(
    (externalReference) => reference.safeParse(externalReference).data ?? [],
  )
  const attackReferences = references.filter(({ source_name }) =>
    isAttack ? isAttackSource(source_name) : DEFENSIVE_SOURCES.has(source_name.toLowerCase()),
  )
  if (attackReferences.length === 0) return isAttack ? [unidentified(object, place)] : []
  const kind = isAttack ? ('attack' as const) : ('technique' as const)
  return attackReferences.flatMap(({ source_name, external_id }) => {
    const domains = isAttack ? domainsOf(source_name, object) : [null]
    return domains.map((domain) => ({ value: external_id, place, kind, domain }))
  })
}

function isAttackSource(name: string): boolean {
  return ATTACK_SOURCES.has(name.toLowerCase()) || domainNamed(name) !== null
}

function domainsOf(source: string, { x_mitre_domains }: StixObject): readonly ListItem['domain'][] {
  const stated = x_mitre_domains.flatMap((name) => domainNamed(name) ?? [])
  if (stated.length > 0) return stated
  return [domainNamed(source)]
}

/** An attack pattern without a known reference: it is reported as unknown under its name. */
function unidentified({ id, name }: StixObject, place: string): ListItem {
  return { value: name === '' ? id : name, place, kind: 'attack', domain: null }
}
