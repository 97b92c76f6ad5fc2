import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { attackSchema, techniqueSchema } from '../../../../../src/guidance/catalogue/reference-data/attack/items.ts'
import { readReferenceData } from '../../../../../src/guidance/catalogue/reference-data/importing/read.ts'
import { findReferenceData } from '../../../../../src/guidance/catalogue/reference-data/importing/unpack.ts'
import { CORPUS } from '../../../../support/corpus.ts'

const FILE = join(CORPUS, 'reference-data/enterprise-attack.json.gz')

const bundle = z.object({ objects: z.array(z.looseObject({ id: z.string(), type: z.string() })) })

const refs = z.looseObject({ relationship_type: z.string(), source_ref: z.string(), target_ref: z.string() })

const withIds = z.looseObject({ external_references: z.array(z.looseObject({ external_id: z.string().optional() })) })

const written = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  x_mitre_platforms: z.array(z.string()),
  revoked: z.boolean().default(false),
  kill_chain_phases: z.array(z.looseObject({ phase_name: z.string() })),
})

/** The bundle by plain loops, for comparison. */
function readPlainly() {
  const { objects } = bundle.parse(JSON.parse(gunzipSync(readFileSync(FILE)).toString('utf8')))
  const byId = new Map(objects.map((object) => [object.id, object]))
  const relations = objects.filter(({ type }) => type === 'relationship').map((object) => refs.parse(object))
  const ofType = (type: string) => objects.filter((object) => object.type === type)
  const between = (type: string, target: string) =>
    relations.filter((found) => found.relationship_type === type && byId.get(found.target_ref)?.type === target)
  const idOf = (id: string) =>
    withIds.parse(byId.get(id)).external_references.find(({ external_id }) => external_id !== undefined)?.external_id
  const sources = (type: string, target: string) =>
    between(type, 'attack-pattern').flatMap((found) =>
      found.target_ref === target ? [idOf(found.source_ref) ?? ''] : [],
    )
  return { ofType, between, sources }
}

describe.skipIf(!existsSync(FILE))('The published bundle of ATT&CK', async () => {
  const found = existsSync(FILE) ? await findReferenceData(FILE) : null
  if (found === null) return
  const data = readReferenceData(found)
  const items = z.array(attackSchema).parse(data.items)
  const techniques = items.filter((item) => item.type === 'technique')
  const mitigations = items.filter((item) => item.type === 'mitigation')
  const plain = readPlainly()

  it('is recognised in its packed form, and has a domain and a version', () => {
    expect(found).toMatchObject({ form: 'attack', fileName: 'enterprise-attack.json' })
    expect(data).toMatchObject({ title: 'ATT&CK Enterprise', version: '2025-11-12', published: '2025-11-12' })
  })

  it('is read with every technique, tactic and mitigation', () => {
    expect(techniques).toHaveLength(plain.ofType('attack-pattern').length)
    expect(items.filter(({ type }) => type === 'tactic')).toHaveLength(plain.ofType('x-mitre-tactic').length)
    expect(mitigations).toHaveLength(plain.ofType('course-of-action').length)
    const revoked = plain.ofType('attack-pattern').filter((object) => object['revoked'] === true)
    expect(techniques.filter((technique) => technique.revoked)).toHaveLength(revoked.length)
  })

  it('is read with every relation', () => {
    const count = (type: string) => plain.between(type, 'attack-pattern').length
    expect(techniques.flatMap((technique) => technique.procedure_examples)).toHaveLength(count('uses'))
    expect(techniques.flatMap((technique) => technique.mitigations)).toHaveLength(count('mitigates'))
    expect(mitigations.flatMap((mitigation) => mitigation.techniques)).toHaveLength(count('mitigates'))
    expect(techniques.flatMap(({ detection }) => detection.strategies)).toHaveLength(count('detects'))
    expect(techniques.flatMap(({ subtechniques }) => subtechniques)).toHaveLength(count('subtechnique-of'))
    expect(techniques.filter(({ parent }) => parent !== null)).toHaveLength(count('subtechnique-of'))
    expect(items.filter(({ successor }) => successor !== null)).toHaveLength(count('revoked-by'))
  })

  it.each([
    ['T1110', ['credential-access'], ['Credential Access']],
    ['T1110.001', ['credential-access'], ['Credential Access']],
    ['T1059', ['execution'], ['Execution']],
    ['T1105', ['command-and-control'], ['Command and Control']],
    ['T1064', null, null],
  ])('has %s unchanged', (id, phases, tactics) => {
    const technique = techniqueSchema.parse(techniques.find((candidate) => candidate.id === id))
    const object = written.parse(plain.ofType('attack-pattern').find((candidate) => candidate.id === technique.stix_id))
    const { name, description, x_mitre_platforms: platforms, revoked } = object
    expect(technique).toMatchObject({ name, description, platforms, revoked })
    const idsOf = (others: readonly { id: string }[]) => others.map((other) => other.id)
    expect(idsOf(technique.procedure_examples)).toEqual(plain.sources('uses', object.id).sort())
    expect(idsOf(technique.mitigations)).toEqual(plain.sources('mitigates', object.id).sort())
    if (phases === null) return
    expect(object.kill_chain_phases).toMatchObject(phases.map((phase_name) => ({ phase_name })))
    expect(technique.tactics.map(({ name }) => name)).toEqual(tactics)
  })
})
