import { describe, expect, it } from 'vitest'
import type { OntologyDocument } from '../../../src/contracts/sources.ts'
import { findContent } from '../../../src/ontology/documents/documents.ts'
import { d3fIri, openFixture, openTurtle } from '../../support/release.ts'

async function documentsOf(turtle: string): Promise<readonly OntologyDocument[]> {
  return (await findContent(await openTurtle(turtle))).documents
}

async function onlyDocument(turtle: string): Promise<OntologyDocument> {
  const [document, ...others] = await documentsOf(turtle)
  if (document === undefined || others.length > 0) throw new Error('There is not one document')
  return document
}

const LOCKING = ':Locking rdfs:subClassOf :DefensiveTechnique ; :d3fend-id "D3-L"'

describe('Deprecated documents', () => {
  it('name their successors, by identifier or IRI; not pages, nor records of other kinds', async () => {
    const documents = await documentsOf(`
      :T1 rdfs:subClassOf :OffensiveTechnique ; :attack-id "T9001" ; owl:deprecated true ;
        rdfs:seeAlso "T9002", <https://example.org/T9001>, :Diary, "T9999" .
      :T2 rdfs:subClassOf :OffensiveTechnique ; :attack-id "T9002" ; rdfs:label "Reading" ; rdfs:seeAlso "T9001" .
      :Locking rdfs:subClassOf :DefensiveTechnique ; :d3fend-id "D3-L" ; owl:deprecated "1"^^xsd:boolean ;
        <http://purl.org/dc/terms/isReplacedBy> :Bolting .
      :Bolting rdfs:subClassOf :DefensiveTechnique ; :d3fend-id "D3-B" ; owl:deprecated false .
      :Diary rdfs:subClassOf :DigitalArtifact .`)
    const successors = documents.map(({ id, name, deprecated, successors: ownSuccessors }) => [
      id ?? name,
      deprecated,
      ownSuccessors.map((successor) => successor.id),
    ])
    expect(successors).toStrictEqual([
      ['D3-B', false, []],
      ['D3-L', true, ['D3-B']],
      ['T9001', true, ['T9002']],
      ['T9002', false, []],
      ['d3f:Diary', false, []],
    ])
  })
})

/** Members that most documents lack. */
const PLAIN = {
  id: null,
  synonyms: [],
  text: '',
  tactics: [],
  domain: null,
  deprecated: false,
  successors: [],
}

describe('The documents of a release', () => {
  it('are attacks and tactics of every domain, each with its own', async () => {
    const { documents, tacticOrder } = await findContent(await openFixture('domains'))
    const tactics = ['Harden', 'TA0002', 'TA0041', 'TA0104', 'AML.TA0005', 'ST0004']
    expect(tacticOrder).toEqual(tactics.map(d3fIri))
    const offensive = documents.filter(({ domain }) => domain !== null)
    expect(Object.fromEntries(offensive.map(({ id, kind, domain }) => [id, `${kind} ${domain ?? ''}`]))).toMatchObject({
      SCALD: 'offensive-technique enterprise-attack',
      T9404: 'offensive-technique mobile-attack',
      T0900: 'offensive-technique ics-attack',
      T0901: 'offensive-technique atlas',
      'DE-9001': 'offensive-technique sparta',
      'AML.TA0005': 'tactic atlas',
      ST0004: 'tactic sparta',
    })
  })

  it('are its records of each kind, by kind and IRI', async () => {
    const { version, digest, documents, links } = await findContent(await openFixture('small'))
    expect({ version, digest }).toStrictEqual({ version: '1.2.3', digest: '0123456789abcdef'.repeat(4) })
    expect(documents).toStrictEqual([
      {
        ...PLAIN,
        kind: 'technique',
        iri: d3fIri('DiaryWatching'),
        name: 'd3f:DiaryWatching',
        id: 'D3-DW',
        label: 'Diary Watching',
        text: 'Looking at a diary now and then.',
        tactics: [{ iri: d3fIri('Detect'), label: 'Detect' }],
      },
      {
        ...PLAIN,
        kind: 'tactic',
        iri: d3fIri('Detect'),
        name: 'd3f:Detect',
        label: 'Detect',
        text: 'To notice.',
      },
      {
        ...PLAIN,
        kind: 'offensive-technique',
        iri: d3fIri('DiaryReading'),
        name: 'd3f:DiaryReading',
        id: 'T9001',
        label: 'Diary Reading',
        tactics: [{ iri: d3fIri('Access'), label: 'Access' }],
        domain: 'enterprise-attack',
      },
      {
        ...PLAIN,
        kind: 'weakness',
        iri: d3fIri('OpenDiary'),
        name: 'd3f:OpenDiary',
        id: 'CWE-9001',
        label: 'Open Diary',
      },
      {
        ...PLAIN,
        kind: 'artifact',
        iri: d3fIri('Diary'),
        name: 'd3f:Diary',
        label: 'Diary',
      },
    ])
    expect(links).toStrictEqual([])
  })

  it('leave out records without an answer of their own: roots, drafts and groups', async () => {
    expect(
      await documentsOf(`
        :DefensiveTechnique rdfs:label "Defensive Technique" ; :d3fend-id "D3-X" .
        :Draft rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Draft" .
        :Group rdfs:subClassOf :OffensiveTechnique ; rdfs:label "Group" .
        :DigitalArtifact rdfs:label "Digital Artifact" .
        :Weakness rdfs:label "Weakness" .
        :Other rdfs:label "Other" .`),
    ).toStrictEqual([expect.objectContaining({ kind: 'technique', iri: d3fIri('DefensiveTechnique') })])
  })

  it('have each record once, also one of two kinds', async () => {
    const document = await onlyDocument(`${LOCKING} ; rdfs:subClassOf :DigitalArtifact .`)
    expect(document.kind).toBe('technique')
  })

  it('have one label; further ones are synonyms', async () => {
    const document = await onlyDocument(`${LOCKING} ; rdfs:label "B", "A"@en ;
      :synonym "Shutting", "A" ; skos:altLabel " Bolting " .`)
    expect(document.label).toBe('A')
    expect(document.synonyms).toStrictEqual(['B', 'Bolting', 'Shutting'])
  })

  it('are called by their name if they have no label', async () => {
    expect((await onlyDocument(`${LOCKING} .`)).label).toBe('d3f:Locking')
  })

  it('have a definition and the first part of an article, without markup', async () => {
    const article = `## How it works\\nA **bolt** and [a key](https://example.org).\\n${'More. '.repeat(1000)}`
    const { text } = await onlyDocument(`${LOCKING} ; :definition "Keeps out." ; :kb-article "${article}" .`)
    expect(text).toMatch(/^Keeps out\. How it works A bolt and a key\. More\. /)
    expect(text.length).toBeLessThan(2100)
  })

  it('have the tactics of the classes above, once each', async () => {
    const documents = await documentsOf(`
      :enables rdfs:label "enables" .
      :Harden rdfs:label "Harden" . :Evict rdfs:label "Evict" . :Unlabelled :x 1 .
      ${LOCKING} ; :enables :Harden, :Unlabelled .
      :Slow rdfs:subClassOf :Locking ; :d3fend-id "D3-S" ; :enables :Harden, :Evict .`)
    expect(documents.map(({ name, tactics }) => [name, tactics.map(({ label }) => label)])).toEqual([
      ['d3f:Locking', ['Harden']],
      ['d3f:Slow', ['Evict', 'Harden']],
    ])
  })

  it('know tactics of ATT&CK by their id', async () => {
    const documents = await documentsOf(`
      :TA0006 rdfs:subClassOf :OffensiveTactic ; rdfs:label "Credential Access" .
      :Harden rdfs:subClassOf :DefensiveTactic ; rdfs:label "Harden" .`)
    expect(documents.map(({ kind, id, label }) => [kind, id, label])).toEqual([
      ['tactic', null, 'Harden'],
      ['tactic', 'TA0006', 'Credential Access'],
    ])
  })
})

describe('The controls among the documents', () => {
  const CONTROLS = `
    ${LOCKING} .
    :Draft rdfs:subClassOf :DefensiveTechnique .
    :N a :NISTControl ; rdfs:label "AC-2(1)" ; :control-name "Accounts | Machines" ;
      :broader :Locking, :Draft .
    :C a :CCIControl ; rdfs:label "CCI-000015" ; :definition "Manage." ; :narrower :Locking .
    :Lonely a :NISTControl ; rdfs:label "AC-3" .`

  it('are those linked to a technique and those that are not', async () => {
    const documents = await documentsOf(CONTROLS)
    expect(documents.slice(1)).toStrictEqual([
      {
        ...PLAIN,
        kind: 'cci',
        iri: d3fIri('C'),
        name: 'd3f:C',
        id: 'CCI-000015',
        label: 'CCI-000015',
        text: 'Manage.',
      },
      {
        ...PLAIN,
        kind: 'control',
        iri: d3fIri('Lonely'),
        name: 'd3f:Lonely',
        id: 'AC-3',
        label: 'AC-3',
      },
      {
        ...PLAIN,
        kind: 'control',
        iri: d3fIri('N'),
        name: 'd3f:N',
        id: 'AC-2(1)',
        label: 'Accounts | Machines',
      },
    ])
  })

  it('link to the techniques that are documents', async () => {
    const { links } = await findContent(await openTurtle(CONTROLS))
    const technique = d3fIri('Locking')
    expect(links).toStrictEqual([
      { control: 'CCI-000015', label: 'CCI-000015', kind: 'cci', relation: 'narrower', technique },
      { control: 'AC-2(1)', label: 'Accounts | Machines', kind: 'control', relation: 'broader', technique },
    ])
  })
})
