import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSheets } from '../../../src/guidance/interchange/spreadsheets/reading/sheet.ts'
import { ingest } from '../../../src/ontology/ingest/ingest.ts'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { d3fIri, withPrefixes } from '../../support/release.ts'
import { workbookWith } from '../../support/spreadsheet.ts'

const SILENT = { step: () => undefined, bytes: () => undefined }
const ROOT = 'src/ontology/d3fend-protege.ttl'
const ONTOLOGY = '<http://d3fend.mitre.org/ontologies/d3fend.owl> a owl:Ontology .'
const MAKEFILE = 'D3FEND_VERSION ?=9.2.0\nD3FEND_RELEASE_DATE ?="2026-01-31T00:00:00.000Z"\n'

const SOURCE = withPrefixes(`${ONTOLOGY}
  :may-be-associated-with a owl:ObjectProperty .
  :hardens a owl:ObjectProperty ; rdfs:label "hardens" ; rdfs:subPropertyOf :may-be-associated-with .
  :d3fend-private-annotation a owl:AnnotationProperty .
  :draft a owl:AnnotationProperty ; rdfs:subPropertyOf :d3fend-private-annotation .
  :todo a owl:AnnotationProperty ; rdfs:subPropertyOf :d3fend-private-annotation .
  :DigitalArtifact a owl:Class .
  :DefensiveTechnique a owl:Class .
  :Kettle a owl:Class ; rdfs:subClassOf :DigitalArtifact ; rdfs:label "Kettle " ; :todo "Look again." .
  :Secret a owl:Class ; rdfs:subClassOf :DigitalArtifact ; rdfs:label "Secret" ; :draft true .
  :Lidding a owl:Class ; :d3fend-id "D3-LID" ; rdfs:label "Lidding" ; :has-link "https://example.org/lids" ;
    :definition "Several\\nlines " ; rdfs:subClassOf :DefensiveTechnique ,
      [ a owl:Restriction ; owl:onProperty :hardens ; owl:someValuesFrom :Kettle ] ,
      [ a owl:Restriction ; owl:onProperty :hardens ; owl:someValuesFrom [ owl:unionOf ( :Secret :Kettle ) ] ] .
  :License a owl:Class .
  :Ours a :License ; rdfs:label "Ours" .`)

/** A checkout with these files beside the usual ones. */
async function checkoutOf(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, content] of Object.entries({ Makefile: MAKEFILE, [ROOT]: SOURCE, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

async function built(checkout: string, options: { readonly version?: string; readonly maxBytes?: number } = {}) {
  const folder = new ReleaseFolder(await temporaryFolder())
  const allOptions = { maxBytes: 1024 * 1024, timeoutMs: 1000, readSheets, ...options }
  const { manifest } = await ingest(folder, { sources: [checkout], ...allOptions }, SILENT)
  return { manifest, nquads: await folder.graph(manifest) }
}

function statement(subject: string, predicate: string, object: string): string {
  return `<${d3fIri(subject)}> <${predicate.includes(':') ? predicate : d3fIri(predicate)}> ${object} .`
}

const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label'
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'

describe("A checkout of D3FEND's source repository", () => {
  it('is built with the version and date of its Makefile', async () => {
    const { manifest, nquads } = await built(await checkoutOf())
    expect(manifest).toMatchObject({ version: '9.2.0', releaseDate: '2026-01-31T00:00:00.000Z' })
    expect(manifest.sources.map(({ name }) => name.replace(/^.*\/(?=Makefile|src\/)/, ''))).toEqual(['Makefile', ROOT])
    expect(nquads).toContain('<http://d3fend.mitre.org/ontologies/d3fend/9.2.0/d3fend.owl>')
  })

  it('has tidy links and texts, but for texts of several lines', async () => {
    const { nquads } = await built(await checkoutOf())
    expect(nquads).toContain(statement('Kettle', LABEL, '"Kettle"'))
    expect(nquads).toContain(statement('Lidding', 'definition', '"Several\\nlines "'))
    const uri = '"https://example.org/lids"^^<http://www.w3.org/2001/XMLSchema#anyURI>'
    expect(nquads).toContain(statement('Lidding', 'has-link', uri))
  })

  it('has no drafts, no private annotations, and no axiom that needs one', async () => {
    const { nquads } = await built(await checkoutOf())
    for (const gone of ['Secret', 'todo', 'draft', 'd3fend-private-annotation', 'Ours', 'Look again', 'unionOf'])
      expect(nquads).not.toContain(gone)
    expect(nquads).toContain(statement('License', TYPE, '<http://www.w3.org/2002/07/owl#Class>'))
  })

  it('states restrictions directly, and related classes as individuals', async () => {
    const { manifest, nquads } = await built(await checkoutOf())
    expect(manifest.counts.directFromRestrictions).toBe(1)
    expect(nquads).toContain(statement('Lidding', 'hardens', `<${d3fIri('Kettle')}>`))
    expect(nquads).toContain(statement('Kettle', TYPE, '<http://www.w3.org/2002/07/owl#NamedIndividual>'))
  })

  it('is merged of its parts, as a catalog names them', async () => {
    const uri = (name: string, file: string) => `<uri name="https://example.org/${name}" uri="${file}"/>`
    const imports = (name: string) => `owl:imports <https://example.org/${name}>`
    const { nquads } = await built(
      await checkoutOf({
        [ROOT]: SOURCE.replace('a owl:Ontology', `a owl:Ontology ; ${imports('core')}`),
        'src/ontology/catalog-v001.xml': `<catalog>${uri('core', 'modules/core.ttl')}${uri('more', 'more.ttl')}</catalog>`,
        'src/ontology/modules/core.ttl': withPrefixes(
          `<https://example.org/core> a owl:Ontology ; ${imports('more')} . :Spout a owl:Class .`,
        ),
        'src/ontology/more.ttl': withPrefixes(
          `<https://example.org/more> a owl:Ontology ; ${imports('core')} . :Handle a owl:Class .`,
        ),
      }),
    )
    expect(nquads).toContain(`<${d3fIri('Spout')}>`)
    expect(nquads).toContain(`<${d3fIri('Handle')}>`)
    expect(nquads).not.toContain('example.org/core')
    expect(nquads).not.toContain('imports')
  })
})

const CCI = ['status', 'publishdate', 'contributor', 'definition', 'Relation', 'D3FEND', '_id']
const NIST = ['Control Identifier', 'Control (or Control Enhancement) Name', 'Relation', 'D3FEND Techniques']
const CCI_FILE = 'extensions/cci/CCI_Mapping.xlsx'
const NIST_FILE = 'extensions/nist/sp800-53r5-control-catalog-d3fend-mapping.xlsx'

function cciFile(...rows: readonly (readonly string[])[]): Promise<Uint8Array> {
  const other = { name: 'Dashboard', rows: [['Sum']] }
  return workbookWith([other, { name: 'U_CCI_List', rows: [CCI, ...rows].map((row) => [...row]) }])
}

describe('The mappings of controls in a source repository', () => {
  it('are those of CCIs that are decided', async () => {
    const start = ['2010-05-11', 'DISA  FSO', 'Lids are on.']
    const file = await cciFile(
      ['draft', ...start, 'Same', 'D3-LID | D3-GONE', 'CCI-000366'],
      ['draft', ...start, '', 'D3-LID', 'CCI-000367'],
      ['deprecated', ...start, '', 'D3-LID', 'CCI-000368'],
      ['draft', ...start, '', 'TBD', 'CCI-000369'],
      ['draft', ...start, '', '', 'CCI-000370'],
    )
    const { nquads } = await built(await checkoutOf({ [CCI_FILE]: file }))
    expect(nquads).toContain(statement('CCI-000366_v2022-04-05', 'exactly', `<${d3fIri('Lidding')}>`))
    expect(nquads).toContain(statement('CCI-000366_v2022-04-05', 'contributor', `<${d3fIri('DISA_FSO')}>`))
    expect(nquads).toContain(statement('CCI-000367_v2022-04-05', 'related', `<${d3fIri('Lidding')}>`))
    for (const id of ['CCI-000368', 'CCI-000369', 'CCI-000370']) expect(nquads).not.toContain(id)
  })

  it('are those of NIST controls', async () => {
    const rows = [NIST, ['AC-2(1)', 'Account Management | Kettles', 'broader', 'D3-LID']]
    const file = await workbookWith([{ name: 'SP 800-53 Revision 5--d3fend', rows }])
    const { nquads } = await built(await checkoutOf({ [NIST_FILE]: file }))
    expect(nquads).toContain(statement('NIST_SP_800-53_R5_AC-2_1', 'broader', `<${d3fIri('Lidding')}>`))
  })

  it.each([
    [['draft', '2010-05-11', 'X', 'Y', 'nearly', 'D3-LID', 'CCI-000366'], 'line 2: "nearly" is not a relation.'],
    [['draft', 'yesterday', 'X', 'Y', '', 'D3-LID', 'CCI-000366'], 'line 2: "yesterday" is not a date.'],
  ])('are refused with file and line where a row is wrong', async (row, reason) => {
    const checkout = await checkoutOf({ [CCI_FILE]: await cciFile(row) })
    await expect(built(checkout)).rejects.toThrow(`${CCI_FILE}, ${reason}`)
  })

  it('are refused if their sheet or a column is missing', async () => {
    const sheet = await checkoutOf({ [CCI_FILE]: await workbookWith([{ name: 'Other', rows: [['A']] }]) })
    await expect(built(sheet)).rejects.toThrow(`${CCI_FILE}: there is no sheet "U_CCI_List".`)
    const rows = [CCI.slice(1)]
    const column = await checkoutOf({ [CCI_FILE]: await workbookWith([{ name: 'U_CCI_List', rows }]) })
    await expect(built(column)).rejects.toThrow(`${CCI_FILE}, line 1: there is no column "status".`)
  })
})

describe('A source repository is refused', () => {
  it('with both options in one message if its Makefile has neither version nor date', async () => {
    const checkout = await checkoutOf({ Makefile: 'D3FEND_VERSION ?= $(VERSION)\n' })
    await expect(built(checkout)).rejects.toThrow(/Give --version and --date\.$/)
  })

  it('with file and line if a part is not well-formed', async () => {
    const checkout = await checkoutOf({ [ROOT]: `${SOURCE}\n:Broken a` })
    await expect(built(checkout)).rejects.toThrow(/d3fend-protege\.ttl, line \d+, column \d+/)
  })

  it('if a link leads out of it', async () => {
    const checkout = await checkoutOf()
    const outside = join(await temporaryFolder(), 'outside.xlsx')
    await writeFile(outside, 'x')
    await mkdir(join(checkout, 'extensions/cci'), { recursive: true })
    await symlink(outside, join(checkout, CCI_FILE))
    await expect(built(checkout)).rejects.toThrow('leads out of the repository')
  })

  it('if an import has no file, or one outside', async () => {
    const imports = SOURCE.replace('a owl:Ontology', 'a owl:Ontology ; owl:imports <https://example.org/core>')
    await expect(built(await checkoutOf({ [ROOT]: imports }))).rejects.toThrow('no file is named for')
    const catalog = '<catalog><uri name="https://example.org/core" uri="../../../core.ttl"/></catalog>'
    const checkout = await checkoutOf({ [ROOT]: imports, 'src/ontology/catalog-v001.xml': catalog })
    await expect(built(checkout)).rejects.toThrow('has no ../core.ttl')
  })

  it('if a part is too large', async () => {
    await expect(built(await checkoutOf(), { maxBytes: 1000 })).rejects.toThrow('(--max-mb)')
  })
})
