import { randomBytes } from 'node:crypto'
import { storeAttack } from './attack-bundle.ts'
import { store } from './catalogue.ts'
import { storeCwe } from './cwe.ts'
import { addRow } from './guidance-records.ts'
import { cciList, storeCciList } from './reference-data.ts'
import type { Sample, SampleRequest, Scene } from './sample-requests.ts'
import { xccdfDocument } from './xccdf-document.ts'

type Kind = 'srg' | 'stig'

/** Successful requests of the operations on SRGs and STIGs. */
export const CATALOGUE_SAMPLES: Readonly<Record<string, Sample>> = {
  listSrgs: () => ({}),
  listStigs: () => ({}),
  listLatestSrgs: () => ({ query: { q: 'teapot' } }),
  listLatestStigs: () => ({ query: { q: 'teapot' } }),
  getSrgStats: (scene) => benchmark(scene, 'srg'),
  getStigStats: (scene) => benchmark(scene, 'stig'),
  getSrg: (scene) => benchmark(scene, 'srg'),
  getStig: (scene) => benchmark(scene, 'stig'),
  deleteSrg: (scene) => benchmark(scene, 'srg'),
  deleteStig: (scene) => benchmark(scene, 'stig'),
  exportSrg: (scene) => table(scene, 'srg'),
  exportStig: (scene) => table(scene, 'stig'),
  compareSrg: (scene) => releases(scene, 'srg'),
  compareStig: (scene) => releases(scene, 'stig'),
  compareSrgAsTable: (scene) => releases(scene, 'srg'),
  compareStigAsTable: (scene) => releases(scene, 'stig'),
  listRequirementRules: () => ({ params: { requirement: 'SRG-TEA-000001' } }),
  getCatalogueRequirement: async ({ guidance }) => {
    await store(guidance, { id: newId() })
    return { params: { requirement: 'SRG-TEA-000001' } }
  },
  listReferenceData: () => ({}),
  listCcis: listed,
  searchCcis: async (scene) => ({ ...(await listed(scene)), query: { q: 'CCI-000366' } }),
  getCci: async (scene) => ({ ...(await listed(scene)), params: { id: 'CCI-000366' } }),
  getMappingCollection: listed,
  getControlMatrix: async (scene) => {
    await listed(scene)
    return { params: { id: 'CM-6' } }
  },
  getControl: async (scene) => {
    await listed(scene)
    return { params: { id: 'CM-6' } }
  },
  listAttackTechniques: attackLoaded,
  getAttackGuidance: () => ({ params: { id: 'T9001' } }),
  getAttackItem: async (scene) => ({ ...(await attackLoaded(scene)), params: { id: 'T9001' } }),
  listCweEntries: cweLoaded,
  getCweEntry: async (scene) => ({ ...(await cweLoaded(scene)), params: { id: 'CWE-901' } }),
  listAliases: () => ({}),
  addAlias: () => ({ body: { benchmark_alias: { alias: newId(), benchmark_id: newId() } } }),
  deleteAlias: alias,
  importSrg: () => upload('srg'),
  importStig: () => upload('stig'),
  importReferenceData: () => ({ form: { file: cciList(), fields: {}, fileName: 'U_CCI_List.xml' } }),
  getImport: importJob,
  followImport: importJob,
  getSrgCountermeasures: (scene) => benchmark(scene, 'srg'),
  getStigCountermeasures: (scene) => benchmark(scene, 'stig'),
  getTechniqueGuidance: () => ({
    params: { technique: 'D3-DW' },
    query: { page: '1', per_page: '5', releases: 'all' },
  }),
  listTechniqueRuleCounts: () => ({ query: {} }),
  findRelated: () => ({ query: { iri: 'D3-DW', page: '1', per_page: '5', releases: 'all' } }),
  lookUpMany: () => ({ query: { ids: 'D3-DW,CCI-000015', view: 'summary' } }),
  lookUpBatch: () => ({ body: { ids: ['D3-DW', 'CCI-000015'], view: 'whole' } }),
  getCoverage: compared,
  getCoverageCsv: compared,
  getCoverageAttackLayer: compared,
  getCoverageD3fendLayer: compared,
  adviseOnDraft: () => ({ body: { title: 'The system should lock accounts.' } }),
  measureList: () => ({ body: { attacks: ['T9001'], techniques: ['D3-DW'] } }),
  getGuidanceVocabulary: () => ({}),
  listCatalogueBenchmarks: () => ({ query: { kind: 'stig', q: 'teapot', sort: 'date' } }),
  getCatalogueFeed: () => ({}),
  getCatalogueBenchmark: (scene) => open(scene),
  getCatalogueRelease: (scene) => open(scene, { version: 'V1R1' }),
  listCatalogueSrgs: () => ({}),
  listCatalogueStigs: () => ({}),
  getCatalogueSrg: (scene) => benchmark(scene, 'srg'),
  getCatalogueStig: (scene) => benchmark(scene, 'stig'),
  listCatalogueRules: (scene) => open(scene, { version: 'V1R1' }),
  getCatalogueRule: (scene) => open(scene, { version: 'V1R1', rule: 'SV-1000001r1_rule' }),
  getCatalogueChanges: (scene) => open(scene, { from: 'V1R1', to: 'V1R1' }),
  getCatalogueChangesAsTable: (scene) => open(scene, { from: 'V1R1', to: 'V1R1' }),
  getCatalogueFile: openFile,
  getCatalogueTable: openFile,
  getCatalogueHashes: () => ({}),
  getCatalogueReleaseHashes: (scene) => open(scene, { version: 'V1R1' }),
  getCatalogueChecklist: openFile,
  getCatalogueChecklistAsJson: openFile,
  describeBenchmarkLine: (scene) => resource(scene, {}),
  describeBenchmark: (scene) => resource(scene, { version: 'V1R1' }),
  describeRule: (scene) => resource(scene, { version: 'V1R1', rule: 'SV-1000001r1_rule' }),
  describeControl: async (scene) => {
    await listed(scene)
    return { params: { control: 'CM-6' } }
  },
  describeAttack: async (scene) => {
    await storeAttack(scene.guidance.service.guidance.database)
    return { params: { attack: 'T9001' } }
  },
  describeWeakness: async (scene) => {
    await storeCwe(scene.guidance.service.guidance.database)
    return { params: { weakness: 'CWE-901' } }
  },
  describeCci: (scene) => resource(scene, { cci: 'CCI-000366' }),
  describeRequirement: (scene) => resource(scene, { requirement: 'SRG-TEA-000001' }),
}

/** An ontology that has the technique of the sample. */
export const SAMPLE_ONTOLOGY = ['test/fixtures/ontology/small.ttl']

function newId(): string {
  return `Teapot_${randomBytes(8).toString('hex')}`
}

async function benchmark({ guidance }: Scene, kind: Kind): Promise<SampleRequest> {
  return { params: { id: await store(guidance, { id: newId(), kind }) } }
}

/** A version of the CCI list. */
async function listed({ guidance }: Scene): Promise<SampleRequest> {
  await storeCciList(guidance.service.guidance.database)
  return { query: { version: '2026-01-05' } }
}

async function cweLoaded({ guidance }: Scene): Promise<SampleRequest> {
  await storeCwe(guidance.service.guidance.database)
  return { query: { version: '4.17' } }
}

/** A version of ATT&CK. */
async function attackLoaded({ guidance }: Scene): Promise<SampleRequest> {
  await storeAttack(guidance.service.guidance.database)
  return { query: { version: '18.1' } }
}

/** A request for a part of a stored benchmark. */
async function resource({ guidance }: Scene, params: Readonly<Record<string, string>>): Promise<SampleRequest> {
  const id = newId()
  await store(guidance, { id })
  return { params: { benchmark: id, ...params } }
}

async function open({ guidance }: Scene, params: Readonly<Record<string, string>> = {}): Promise<SampleRequest> {
  const id = newId()
  await store(guidance, { id })
  return { params: { benchmark_id: id, ...params } }
}

async function openFile(scene: Scene): Promise<SampleRequest> {
  const { params } = await open(scene, { version: 'V1R1' })
  return { params: { ...params, file: params?.['benchmark_id'] ?? '' } }
}

async function table(scene: Scene, kind: Kind): Promise<SampleRequest> {
  const { params } = await benchmark(scene, kind)
  return { params: { ...params, type: 'csv' }, query: { columns: 'rule_id,title' } }
}

async function releases({ guidance }: Scene, kind: Kind): Promise<SampleRequest> {
  const id = newId()
  const from = await store(guidance, { id, kind })
  const to = await store(guidance, { id, kind, release: '2', rules: 3 })
  return { params: { id: to }, query: { from: String(from) } }
}

/** A document to compare the coverage with. */
async function compared(scene: Scene): Promise<SampleRequest> {
  const { params, query } = await releases(scene, 'stig')
  return { query: { stig: String(params?.['id']), against_stig: query?.['from'] ?? '' } }
}

async function alias({ guidance }: Scene): Promise<SampleRequest> {
  const created_at = new Date().toISOString()
  const id = await addRow(guidance, 'benchmark_aliases', { alias: newId(), benchmark_id: newId(), created_at })
  return { params: { id } }
}

function upload(kind: Kind): SampleRequest {
  const file = xccdfDocument({ id: newId(), kind, version: null })
  return { form: { file, fields: { version: 'V1R1', document_type: kind, replace: 'false' }, fileName: 'teapot.xml' } }
}

/** A finished import. */
async function importJob({ guidance }: Scene): Promise<SampleRequest> {
  const now = new Date().toISOString()
  const outcome = { imported: [], already_imported: [], refused: [], problem: null }
  const id = await addRow(guidance, 'imports', {
    user_id: null,
    actor: '{}',
    file_name: 'teapot.xml',
    spool: null,
    options: '{}',
    state: 'finished',
    done: 0,
    total: 0,
    outcome: JSON.stringify(outcome),
    created_at: now,
    updated_at: now,
  })
  return { params: { id } }
}
