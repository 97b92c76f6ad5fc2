import { z } from 'zod'
import { ATTACK_DOMAINS } from '../../contracts/sources.ts'
import { type ListItem, type ReadList, refuseEntry } from './list-item.ts'

const identifiedTechnique = z.object({ id: z.string(), domain: z.enum(ATTACK_DOMAINS).optional() })

/** An attack or technique in a list of names: an id, or an id with the domain that it is of. */
export const nameEntry = z.union(
  [z.string(), identifiedTechnique],
  'must be an id, or an object with "id" and perhaps "domain"',
)

const lists = z.object({
  attacks: z.array(z.unknown()).default([]),
  techniques: z.array(z.unknown()).default([]),
})

/** Reads `{attacks: [...], techniques: [...]}`. */
export function readNames(content: unknown, place: string): ReadList {
  const { attacks, techniques } = lists.parse(content)
  const items = [
    ...attacks.map((entry, index) => readName(entry, { place: `${place}attacks[${index}]`, kind: 'attack' })),
    ...techniques.map((entry, index) => readName(entry, { place: `${place}techniques[${index}]`, kind: 'technique' })),
  ]
  return { items, leftOut: 0 }
}

function readName(entry: unknown, { place, kind }: Pick<ListItem, 'place' | 'kind'>): ListItem {
  const { data } = nameEntry.safeParse(entry)
  if (data === undefined) throw refuseEntry(place, 'An entry is an id, or an object with "id" and perhaps "domain".')
  const { id, domain = null } = typeof data === 'string' ? { id: data } : data
  return { value: id, place, kind, domain }
}
