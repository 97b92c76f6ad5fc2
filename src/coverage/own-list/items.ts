import type { ListContent } from '../../contracts/list-coverage.ts'
import { Refusal } from '../../platform/errors.ts'
import { readBundle } from './bundle.ts'
import { readCsv } from './csv.ts'
import { readLayer } from './layer.ts'
import type { IsKnown, ReadList } from './list-item.ts'
import { readNames } from './names.ts'

/** More than all attacks and techniques of a release. */
const MAX_ITEMS = 10_000

/** Reads the entries of a list in any form. Refuses content that is not of the form, with its place. */
export async function readList({ form, content, place }: ListContent, isKnown: IsKnown): Promise<ReadList> {
  const read = await readForm({ form, content, place }, isKnown)
  if (read.items.length > MAX_ITEMS)
    throw refuseList(place, `${read.items.length} entries are too many. Send at most ${MAX_ITEMS}.`)
  if (read.items.length > 0) return read
  const why = read.leftOut > 0 ? `All ${read.leftOut} entries are disabled, scored 0 or revoked.` : 'It has no entries.'
  throw refuseList(place, `The list names no attack and no technique. ${why}`)
}

async function readForm({ form, content, place }: ListContent, isKnown: IsKnown): Promise<ReadList> {
  switch (form) {
    case 'csv':
      return readCsv(String(content), { place, isKnown, maxRows: MAX_ITEMS })
    case 'layer':
      return readLayer(content, place)
    case 'bundle':
      return readBundle(content, place)
    case 'list':
      return readNames(content, place)
  }
}

/** Refuses a list; the message names the list if there are two. */
export function refuseList(place: string, detail: string): Refusal {
  const parameter = place === '' ? 'body' : place.replace(/\.$/, '')
  return new Refusal('parameter_invalid', place === '' ? detail : `${parameter}: ${detail}`, { parameter })
}
