import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Release } from '../../../../src/ontology/release/release.ts'
import { render } from '../../../../src/ontology/render/render.ts'
import { attackPairs } from '../../../../src/ontology/views/pairs/attack-pairs.ts'
import { stixBundle } from '../../../../src/ontology/views/stix/bundle.ts'
import { publishedTechniques } from '../../../../src/ontology/views/technique/subtechniques.ts'
import { openTurtle } from '../../../support/release.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
const idOf = (type: string): z.ZodString => z.string().regex(new RegExp(`^${type}--${UUID}$`))

// STIX 2.1, §3.2: common properties; timestamps have milliseconds and end with Z.
const time = z.iso.datetime({ precision: 3 })
const common = { spec_version: z.literal('2.1'), created: time, modified: time }
const references = z
  .array(
    z.union([
      z.strictObject({ source_name: z.string(), external_id: z.string(), url: z.url().optional() }),
      z.strictObject({ source_name: z.string(), url: z.url() }),
    ]),
  )
  .min(1)

const technique = z.strictObject({
  ...common,
  type: z.literal('course-of-action'),
  id: idOf('course-of-action'),
  name: z.string().min(1),
  description: z.string().optional(),
  external_references: references,
  x_d3fend_tactics: z.array(z.string()).min(1).optional(),
  x_d3fend_synonyms: z.array(z.string()).min(1).optional(),
})
const attack = z.strictObject({
  ...common,
  type: z.literal('attack-pattern'),
  id: idOf('attack-pattern'),
  name: z.string().min(1),
  description: z.string().optional(),
  external_references: references,
  x_d3fend_domain: z.string().optional(),
})
const relationship = z.strictObject({
  ...common,
  type: z.literal('relationship'),
  id: idOf('relationship'),
  relationship_type: z.literal('mitigates'),
  source_ref: idOf('course-of-action'),
  target_ref: idOf('attack-pattern'),
  x_d3fend_path_count: z.int().min(1),
  x_d3fend_paths: z
    .array(z.tuple([z.string(), z.string(), z.string(), z.string()]))
    .min(1)
    .max(5),
})
const bundle = z.strictObject({
  type: z.literal('bundle'),
  id: idOf('bundle'),
  objects: z.array(z.discriminatedUnion('type', [technique, attack, relationship])),
})

const STARTER = new URL('../../../../data/ontology/', import.meta.url)

async function openStarter(): Promise<Release> {
  const files = await readdir(STARTER)
  const texts = files.toSorted().map((file) => readFile(new URL(file, STARTER), 'utf8'))
  return openTurtle((await Promise.all(texts)).join('\n'))
}

async function bundleOf(release: Release): Promise<z.infer<typeof bundle>> {
  return bundle.parse(await stixBundle.answer(release))
}

describe('The bundle of STIX', () => {
  it('has each technique once, and a relationship for each pair of a technique and an attack', async () => {
    const release = await openStarter()
    const { objects } = await bundleOf(release)
    const ids = new Set(objects.map(({ id }) => id))
    expect(ids.size).toBe(objects.length)
    const ofType = (type: string): number => objects.filter((object) => object.type === type).length
    expect(ofType('course-of-action')).toBe(publishedTechniques(release).length)
    expect(ofType('relationship')).toBe(attackPairs(release).results.bindings.length)
    expect(ofType('relationship')).toBeGreaterThan(0)
    for (const object of objects)
      if (object.type === 'relationship') expect(ids.has(object.source_ref) && ids.has(object.target_ref)).toBe(true)
  })

  it('names techniques and attacks by the identifiers of their catalogues', async () => {
    const { objects } = await bundleOf(await openStarter())
    const named = objects.flatMap((object) => (object.type === 'relationship' ? [] : object.external_references))
    expect(named).toContainEqual(expect.objectContaining({ source_name: 'mitre-d3fend', external_id: 'D3-FIM' }))
    expect(named.filter(({ source_name: source }) => source === 'mitre-attack').length).toBeGreaterThan(0)
  })

  it('has the same bytes each time it is made', async () => {
    const make = async (): Promise<string> => {
      const { body } = await render(await openStarter(), stixBundle.path, { coding: 'identity' })
      return body.toString()
    }
    expect(await make()).toBe(await make())
  })
})
