import type { z } from 'zod'
import { append } from '../../../../platform/append.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { groupDigits } from '../../files/limits.ts'
import { shortenWords } from '../../files/xml.ts'
import { parseJson } from '../importing/json.ts'
import { anySchema, bundleSchema, namedSchema, relationSchema, type StixObject, type StixRelation } from './stix.ts'

/** The types of objects that are read, besides relations. */
const READ_TYPES = new Set([
  'attack-pattern',
  'x-mitre-tactic',
  'course-of-action',
  'intrusion-set',
  'malware',
  'tool',
  'campaign',
  'x-mitre-detection-strategy',
  'x-mitre-analytic',
  'x-mitre-data-component',
  'x-mitre-collection',
])

const RELATIONS = new Set(['uses', 'mitigates', 'detects', 'subtechnique-of', 'revoked-by'])

/** Limit of objects, several times the number in the largest bundle. */
const MAX_OBJECTS = 200_000

/**
 * The objects of a STIX bundle that are read for ATT&CK. Refuses other JSON and relations of missing objects
 * (`not_reference_data`), with the place and the id, and two objects with the same id (`duplicate_item_id`).
 */
export class Bundle {
  readonly #objects = new Map<string, StixObject>()
  readonly #relations: StixRelation[] = []
  readonly #bySource = new Map<string, StixRelation[]>()
  readonly #byTarget = new Map<string, StixRelation[]>()
  #latest = ''

  constructor(bytes: Uint8Array) {
    const { objects } = parseObject(bundleSchema, parseJson(bytes), 'the bundle')
    if (objects.length > MAX_OBJECTS)
      throw new Refusal('too_large', `The bundle has more objects than the limit of ${groupDigits(MAX_OBJECTS)}.`)
    const knownIds = new Set<string>()
    for (const [index, object] of objects.entries()) this.#add(object, index, knownIds)
    for (const relation of this.#relations) this.#place(relation)
  }

  /** The day of the latest change; empty if unknown. */
  get latest(): string {
    return this.#latest.slice(0, 10)
  }

  ofType(type: string): readonly StixObject[] {
    return [...this.#objects.values()].filter((object) => object.type === type)
  }

  find(id: string): StixObject | null {
    return this.#objects.get(id) ?? null
  }

  /** The objects that a relation of this type leads to from an object. */
  from(id: string, type: string): readonly Related[] {
    return this.#related(this.#bySource.get(`${type} ${id}`) ?? [], 'target_ref')
  }

  /** The objects from which a relation of this type leads to an object. */
  to(id: string, type: string): readonly Related[] {
    return this.#related(this.#byTarget.get(`${type} ${id}`) ?? [], 'source_ref')
  }

  #related(relations: readonly StixRelation[], end: 'source_ref' | 'target_ref'): readonly Related[] {
    return relations.flatMap((relation) => {
      const object = this.find(relation[end])
      return object === null ? [] : [{ relation, object }]
    })
  }

  #add(value: unknown, index: number, knownIds: Set<string>): void {
    const path = `objects/${index}`
    const { id, type } = parseObject(anySchema, value, path)
    if (knownIds.has(id)) {
      const detail = `The object ${shortenWords(id)} is in the bundle twice (${path}).`
      throw new Refusal('duplicate_item_id', detail)
    }
    knownIds.add(id)
    if (type === 'relationship') this.#relations.push(parseObject(relationSchema, value, path, id))
    else if (READ_TYPES.has(type)) this.#keep(parseObject(namedSchema, value, path, id))
  }

  #keep(object: StixObject): void {
    this.#objects.set(object.id, object)
    const { modified = '' } = object
    if (modified > this.#latest) this.#latest = modified
  }

  /** Indexes a relation. Withdrawn relations are left out, as on ATT&CK's pages. */
  #place(relation: StixRelation): void {
    const { relationship_type: type, source_ref: source, target_ref: target } = relation
    if (!RELATIONS.has(type)) return
    for (const end of [source, target]) if (!this.#objects.has(end)) throw danglingRefusal(relation, end)
    if (relation.revoked || relation.x_mitre_deprecated) return
    append(this.#bySource, `${type} ${source}`, relation)
    append(this.#byTarget, `${type} ${target}`, relation)
  }
}

/** An object at the other end of a relation. */
export interface Related {
  readonly relation: StixRelation
  readonly object: StixObject
}

function parseObject<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: string,
  id?: string,
): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = [place, ...(issue?.path ?? [])].join('/')
  const named = id === undefined ? '' : ` (${shortenWords(id)})`
  const detail = `The STIX bundle cannot be used at ${shortenWords(path)}${named}: ${issue?.message ?? 'other content'}.`
  throw new Refusal('not_reference_data', detail)
}

function danglingRefusal({ id, relationship_type: type }: StixRelation, end: string): Refusal {
  const detail = `The relation ${shortenWords(id)} (${shortenWords(type)}) refers to ${shortenWords(end)}, which is not there.`
  return new Refusal('not_reference_data', detail)
}
