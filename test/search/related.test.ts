import { describe, expect, it } from 'vitest'
import type { RuleSource } from '../../src/contracts/guidance-records.ts'
import type { RelatedAnswer } from '../../src/contracts/related.ts'
import type { CounterPath } from '../../src/contracts/sources.ts'
import { relatedIn } from '../../src/search/related/related.ts'
import { refusalOf } from '../support/refusal.ts'
import { COUNTERS, ontologyOf, ruleOf, rulesOf } from './related-sample.ts'

async function related(
  subject: string,
  { page = 1, perPage = 10, ontology = ontologyOf(), rules = rulesOf() } = {},
): Promise<RelatedAnswer> {
  return relatedIn(ontology).find(rules, { subject, page, perPage })
}

/** Items of a section: the name of each, then the sentences of its ways. */
function labelsAndSentences(section: RelatedAnswer['techniques'] | RelatedAnswer['rules']): readonly unknown[] {
  return section.items.map(({ item, paths }) => [
    'ruleId' in item ? item.ruleId : item.id,
    ...paths.map(({ sentence }) => sentence),
  ])
}

const SECOND = 'SV-2 → CCI-000016 → AC-2(1) → broader → Watching'

describe('The lists related to a technique', () => {
  it('have rules, attacks and weaknesses with their paths, without the technique itself', async () => {
    const lists = await related('urn:Bolting')
    expect(lists.subject).toStrictEqual({ kind: 'technique', iri: 'urn:Bolting', id: 'd3f:Bolting', label: 'Bolting' })
    expect(lists.ontology).toStrictEqual({ version: '1.0.0', digest: 'a'.repeat(64) })
    expect(lists.techniques).toStrictEqual({ total: 0, isCut: false, items: [] })
    expect(labelsAndSentences(lists.rules)).toStrictEqual([
      ['SV-1r2_rule', 'SV-1 → CCI-000015 → narrower → Bolting (Harden)'],
    ])
    expect(labelsAndSentences(lists.offensiveTechniques)).toStrictEqual([
      ['T1', 'Bolting (Harden) → bolts → Door ← is a kind of ← Cellar Door ← opens ← Picking (T1)'],
    ])
    expect(labelsAndSentences(lists.weaknesses)).toStrictEqual([
      ['CWE-2', 'Bolting (Harden) → bolts → Door ← weakness-of ← Decay ← is a kind of ← Rust (CWE-2)'],
    ])
  })

  it('have paths also as names and relations', async () => {
    const { rules, offensiveTechniques } = await related('urn:Bolting')
    expect(rules.items[0]?.paths[0]?.path).toStrictEqual(['SV-1r2_rule', 'CCI-000015', 'narrower', 'd3f:Bolting'])
    expect(offensiveTechniques.items[0]?.paths[0]?.path).toStrictEqual([
      'd3f:Bolting',
      'bolts',
      'd3f:Door',
      '^rdfs:subClassOf+',
      'd3f:CellarDoor',
      '^opens',
      'd3f:Picking',
    ])
  })

  it('have rules also by the NIST control of their CCI', async () => {
    expect(labelsAndSentences((await related('D3-W')).rules)).toStrictEqual([['SV-2r1_rule', SECOND]])
  })

  it.each(['d3f:Bolting', 'Bolting', 'bolting', 'D3-B', 'd3-b', 'urn:Bolting'])(
    'is found by its name: %s',
    async (name) => {
      expect((await related(name)).subject.iri).toBe('urn:Bolting')
    },
  )

  it('are found by its label, unless others have the same', async () => {
    expect((await related('slow picking')).subject.iri).toBe('urn:SlowPicking')
    expect((await refusalOf(() => related('Alone'))).members['did_you_mean']).toEqual(
      expect.arrayContaining(['d3f:NIST_AC9', 'd3f:Solitude']),
    )
  })
})

describe('The lists related to a rule', () => {
  it('have techniques, and through them attacks and weaknesses', async () => {
    const lists = await related('https://example.org/SV-1r2_rule')
    expect(lists.subject).toStrictEqual({
      kind: 'rule',
      iri: 'https://example.org/SV-1r2_rule',
      id: 'SV-1r2_rule',
      label: 'Title of SV-1r2_rule',
    })
    const path = 'SV-1 → CCI-000015 → narrower → Bolting (Harden)'
    expect(labelsAndSentences(lists.techniques)).toStrictEqual([['D3-B', path]])
    expect(labelsAndSentences(lists.offensiveTechniques)).toStrictEqual([
      ['T1', `${path} → bolts → Door ← is a kind of ← Cellar Door ← opens ← Picking (T1)`],
    ])
    expect(labelsAndSentences(lists.weaknesses)).toHaveLength(1)
    expect(lists.rules).toStrictEqual({ total: 0, isCut: false, items: [] })
  })

  it('have techniques also by the NIST control of its CCI', async () => {
    const { techniques } = await related('https://example.org/SV-2r1_rule')
    expect(labelsAndSentences(techniques)).toStrictEqual([['D3-W', SECOND]])
  })

  it('are empty with a reason if it cites nothing', async () => {
    const { techniques, offensiveTechniques, weaknesses, note } = await related('https://example.org/SV-3r1_rule')
    expect([techniques.total, offensiveTechniques.total, weaknesses.total]).toStrictEqual([0, 0, 0])
    expect(note).toBe('It cites no CCI, by which it would be linked to techniques.')
  })

  it('are empty if nothing is linked to its citations, which are named', async () => {
    const rules = rulesOf([ruleOf('SV-4r1_rule', ['CCI-000017'])])
    const lists = await related('https://example.org/SV-4r1_rule', { rules })
    expect(lists.techniques.total).toBe(0)
    expect(lists.note).toBe('The ontology links no technique to CCI-000017, AC-9.')
    expect((await related('https://example.org/SV-1r2_rule')).note).toBeNull()
  })
})

describe('The lists related to an attack, a weakness or an artifact', () => {
  it('have the techniques that defend and the rules that implement these', async () => {
    const lists = await related('T1.001')
    expect(labelsAndSentences(lists.techniques)).toStrictEqual([
      ['D3-B', 'Slow Picking (T1.001) → opens → Cellar Door → is a kind of → Door ← bolts ← Bolting (Harden)'],
    ])
    expect(labelsAndSentences(lists.rules)).toStrictEqual([
      ['SV-1r2_rule', 'SV-1 → CCI-000015 → narrower → Bolting (Harden)'],
    ])
    expect([lists.offensiveTechniques.total, lists.weaknesses.total]).toStrictEqual([0, 0])
  })

  it('include relations of records below it', async () => {
    expect(labelsAndSentences((await related('T1')).techniques)).toStrictEqual([
      [
        'D3-B',
        'Picking (T1) ← is a kind of ← Slow Picking (T1.001) → opens → Cellar Door → is a kind of → Door ← bolts ← Bolting (Harden)',
      ],
    ])
  })

  it('begin at the artifact itself', async () => {
    expect(labelsAndSentences((await related('d3f:CellarDoor')).techniques)).toStrictEqual([
      ['D3-B', 'Cellar Door → is a kind of → Door ← bolts ← Bolting (Harden)'],
    ])
  })
})

describe('The lists related to a tactic', () => {
  it('have the techniques that enable it', async () => {
    const lists = await related('d3f:Harden')
    expect(labelsAndSentences(lists.techniques)).toStrictEqual([['D3-B', 'Harden ← enables ← Bolting (Harden)']])
    expect(lists.rules.total).toBe(1)
  })

  it('of attacks have the techniques against each of them', async () => {
    expect(labelsAndSentences((await related('TA0001')).techniques)).toStrictEqual([
      [
        'D3-B',
        'Entry (TA0001) ← enables ← Slow Picking (T1.001) → opens → Cellar Door → is a kind of → Door ← bolts ← Bolting (Harden)',
      ],
    ])
  })
})

describe('The lists related to a control', () => {
  it('have techniques, the attacks that these counter, and the rules that cite it', async () => {
    const lists = await related('CCI-15')
    expect(labelsAndSentences(lists.techniques)).toStrictEqual([['D3-B', 'CCI-000015 → narrower → Bolting (Harden)']])
    expect(lists.offensiveTechniques.total).toBe(1)
    expect(labelsAndSentences(lists.rules)).toStrictEqual([
      ['SV-1r2_rule', 'SV-1 → CCI-000015 → narrower → Bolting (Harden)'],
    ])
  })

  it('of NIST have the rules of its CCIs', async () => {
    const lists = await related('ac-2 (1)')
    expect(labelsAndSentences(lists.techniques)).toStrictEqual([['D3-W', 'AC-2(1) → broader → Watching']])
    expect(labelsAndSentences(lists.rules)).toStrictEqual([['SV-2r1_rule', SECOND]])
  })

  it('exist even if the ontology does not have it', async () => {
    const cci = await related('CCI-000016')
    expect(cci.subject).toStrictEqual({ kind: 'cci', iri: null, id: 'CCI-000016', label: 'CCI-000016' })
    expect(labelsAndSentences(cci.techniques)).toStrictEqual([['D3-W', 'CCI-000016 → AC-2(1) → broader → Watching']])
    const control = await related('ZZ-1', { rules: rulesOf([ruleOf('SV-9_rule', ['CCI-000018'])]) })
    expect(control.subject).toMatchObject({ kind: 'control', id: 'ZZ-1' })
    expect(labelsAndSentences(control.rules)).toStrictEqual([['SV-9_rule', 'SV-9 → CCI-000018']])
  })

  it('of NIST include those of its parts', async () => {
    const lists = await related('AC-2')
    expect(lists.subject).toMatchObject({ kind: 'control', iri: null, id: 'AC-2' })
    expect(labelsAndSentences(lists.techniques)).toStrictEqual([['D3-W', 'AC-2 → AC-2(1) → broader → Watching']])
    expect(labelsAndSentences(lists.rules)).toStrictEqual([['SV-2r1_rule', SECOND]])
  })
})

describe('An unknown subject', () => {
  it.each([
    ['d3f:Boltin', ['d3f:Bolting']],
    ['Slow-Pikking', ['d3f:SlowPicking']],
    ['AC-8', ['d3f:NIST_AC9']],
  ])('is refused with near names: %s', async (subject, near) => {
    const refusal = await refusalOf(() => related(subject))
    expect(refusal.code).toBe('subject_not_found')
    expect(refusal.members['did_you_mean']).toEqual(expect.arrayContaining(near))
    expect(refusal.message).toContain('Did you mean d3f:')
  })

  it.each(['!', 'Something entirely different', 'x'.repeat(2000)])(
    'is refused without any where there are none: %s',
    async (subject) => {
      const refusal = await refusalOf(() => related(subject))
      expect(refusal.code).toBe('subject_not_found')
      expect(refusal.members).toStrictEqual({})
      expect(refusal.message.length).toBeLessThan(300)
    },
  )
})

describe('The lists', () => {
  const many = Array.from({ length: 7 }, (_, index) => ruleOf(`SV-${index}_rule`, ['CCI-000015']))

  it('come in pages, all of them the same one', async () => {
    const asked = { perPage: 3, rules: rulesOf(many) }
    const [first, third] = [await related('D3-B', asked), await related('D3-B', { ...asked, page: 3 })]
    expect(first.rules.total).toBe(7)
    expect(first.rules.items.map(({ item }) => item.ruleId)).toStrictEqual(many.slice(0, 3).map(({ ruleId }) => ruleId))
    expect(third.rules.items.map(({ item }) => item.ruleId)).toStrictEqual(['SV-6_rule'])
    expect(first.weaknesses.items).toHaveLength(1)
    expect(third.weaknesses).toStrictEqual({ total: 1, isCut: false, items: [] })
  })

  it('end with the last page of the longest', async () => {
    const asked = { perPage: 3, rules: rulesOf(many) }
    const refusal = await refusalOf(() => related('D3-B', { ...asked, page: 4 }))
    expect(refusal.code).toBe('page_out_of_range')
    expect(refusal.message).toContain('(1..3)')
    expect((await refusalOf(() => related('D3-B', { page: 2 }))).message).toContain('(1..1)')
  })

  it('read only the rules of the page, and up to 200 to count them', async () => {
    const rules = rulesOf(Array.from({ length: 300 }, (_, index) => ruleOf(`SV-${index}_rule`, ['CCI-000015'])))
    const first = await related('D3-B', { perPage: 30, rules })
    expect([first.rules.total, first.rules.isCut]).toStrictEqual([200, true])
    const last = await related('D3-B', { perPage: 30, page: 10, rules })
    expect([last.rules.total, last.rules.isCut]).toStrictEqual([300, false])
    expect(last.rules.items).toHaveLength(30)
  })

  it('begin with the closest record and its shortest path', async () => {
    const [first, second] = COUNTERS
    if (first === undefined || second === undefined) throw new Error('There are two')
    const other = { iri: 'urn:SlowPicking', label: 'Slow Picking', id: 'T1.001' }
    const direct = { ...first, otherArtifact: { iri: 'urn:Door', label: 'Door', is: 'itself' } } as const
    const slow = { ...first.other, ...other }
    const counters = [first, { ...first, other: slow }, second, { ...direct, other: slow }]
    const ontology = ontologyOf({ counters: () => Promise.resolve(counters.flatMap(whole)) })
    const similarity: RuleSource['similarity'] = (_text, iris) =>
      Promise.resolve(new Map(iris.map((iri) => [iri, 0.5])))
    const { items } = (await related('D3-B', { ontology, rules: { ...rulesOf(), similarity } })).offensiveTechniques
    expect(items.map(({ item }) => item.id)).toStrictEqual(['T1.001', 'T1'])
    expect(items[0]?.paths.map(({ path }) => path.length)).toStrictEqual([5, 7])
  })

  it('have five paths to a record and their number', async () => {
    const counters = Array.from({ length: 8 }, (_, index) => ({ ...COUNTERS[0], relation: `bolts-${index}` }))
    const ontology = ontologyOf({ counters: () => Promise.resolve(counters.flatMap(whole)) })
    const [item] = (await related('D3-B', { ontology })).offensiveTechniques.items
    expect([item?.paths.length, item?.pathCount]).toStrictEqual([5, 8])
  })

  it('say so when there may be more', async () => {
    const counters = Array.from({ length: 5000 }, (_, index) => ({
      ...COUNTERS[0],
      relation: `bolts-${index}`,
    })).flatMap(whole)
    const ontology = ontologyOf({ counters: (_techniques, limit) => Promise.resolve(counters.slice(0, limit)) })
    const { offensiveTechniques, techniques } = await related('D3-B', { ontology })
    expect(offensiveTechniques.isCut).toBe(true)
    expect(offensiveTechniques.items[0]?.pathCount).toBe(1000)
    expect(techniques.isCut).toBe(false)
    const citing = (): ReturnType<RuleSource['citing']> => Promise.resolve({ rules: [], isCut: true })
    const cut = await related('D3-B', { rules: { ...rulesOf(), citing } })
    expect(cut.rules.isCut).toBe(true)
  })
})

/** All parts of a counter that was made of a known one. */
function whole(counter: Partial<CounterPath>): readonly CounterPath[] {
  const [first] = COUNTERS
  return first === undefined ? [] : [{ ...first, ...counter }]
}
