import { describe, expect, it, vi } from 'vitest'
import { D3F } from '../../../../../src/graph/vocabulary.ts'
import { ControlLinks } from '../../../../../src/guidance/catalogue/linked-data/countermeasures/control-links.ts'
import { OntologyLinks } from '../../../../../src/guidance/catalogue/linked-data/countermeasures/ontology-links.ts'
import { createLog } from '../../../../../src/platform/log.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { assertion, controlsOf, SampleOntology, technique } from '../sample.ts'

const log = createLog('silent')

describe('The links of the ontology', () => {
  it('are computed once for each release', async () => {
    const ontology = new SampleOntology(null)
    const links = new OntologyLinks({ ontology, log })
    expect(await links.current()).toBeNull()
    ontology.release = controlsOf()
    const first = await links.current()
    expect(first?.techniques).toHaveLength(3)
    expect(await links.current()).toBe(first)
    expect(ontology.asked).toBe(1)
    ontology.release = controlsOf({ version: '2.0.0', digest: 'b'.repeat(64) })
    expect(await links.current()).toMatchObject({ version: '2.0.0' })
    ontology.release = null
    expect(await links.current()).toBeNull()
  })

  it('remain unchanged while the next release cannot be read', async () => {
    const ontology = new SampleOntology()
    const links = new OntologyLinks({ ontology, log })
    const before = await links.current()
    ontology.release = controlsOf({ digest: 'b'.repeat(64) })
    const failing = vi.spyOn(ontology, 'controls').mockRejectedValue(new Error('It has died'))
    expect(await links.current()).toBe(before)
    failing.mockRestore()
    expect(await links.current()).toMatchObject({ digest: 'b'.repeat(64) })
  })
})

describe('The links of an ontology that is not open', () => {
  it('are awaited', async () => {
    const ontology = new SampleOntology()
    let open = (): void => undefined
    const start = new Promise<void>((resolve) => (open = resolve))
    vi.spyOn(ontology, 'opened').mockImplementation(() => start.then(() => ontology.release))
    const links = new OntologyLinks({ ontology, log }).current()
    open()
    expect((await links)?.techniques).toHaveLength(3)
  })

  it('are refused if they cannot be read and no earlier ones exist', async () => {
    const ontology = new SampleOntology()
    vi.spyOn(ontology, 'controls').mockRejectedValue(new Error('It has died'))
    const links = new OntologyLinks({ ontology, log })
    expect((await refusalOf(() => links.current())).code).toBe('release_unusable')
  })
})

describe('The paths from CCIs to techniques', () => {
  const links = new ControlLinks(
    controlsOf({
      techniques: [technique('AccountLocking', '', 'D3-AL')],
      assertions: [
        assertion(['A', 'CCI-000001'], 'broader', 'AccountLocking'),
        // A duplicate assertion is one path, even if it names another control.
        assertion(['A', 'CCI-000001'], 'broader', 'AccountLocking'),
        assertion(['A', 'CCI-000002'], 'narrower', 'AccountLocking'),
        assertion(['B', 'CCI-15'], 'broader', 'AccountLocking'),
        assertion(['C', 'CCI-000003'], 'broader', 'NoTechnique'),
        assertion(['Bad> <urn:p> <urn:o> .', 'CCI-000004'], 'broader', 'AccountLocking'),
        assertion(['D', 'AC-2'], 'related', 'AccountLocking'),
      ],
    }),
  )

  it('lead from the control of a CCI to existing techniques', () => {
    const found = (cci: string): readonly string[] =>
      links.from(cci).map(({ control, relation }) => `${control} ${relation}`.replaceAll(D3F, ''))
    expect(found('CCI-000001')).toEqual(['A broader', 'A narrower'])
    expect(found('CCI-000002')).toEqual(['A broader', 'A narrower'])
    for (const none of ['CCI-15', 'CCI-000003', 'CCI-000004']) expect(found(none)).toEqual([])
  })

  it('are found from their ends, without empty names', () => {
    const paths = links.to(`${D3F}AccountLocking`)
    expect(paths.map(({ cci }) => cci).sort()).toEqual(['CCI-000001', 'CCI-000001', 'CCI-000002', 'CCI-000002'])
    expect(paths[0]?.technique.label).toBeNull()
    expect(links.nist(`${D3F}AccountLocking`)).toMatchObject([{ label: 'AC-2' }])
  })
})
