import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { isStorable } from '../../../http/input.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Database } from '../../database/database.ts'
import type { Reader } from '../../database/transaction.ts'
import { citing, findCitingRules, totalSeverities } from '../benchmarks/citing-rules.ts'
import { OPEN } from '../open/input.ts'
import { controlNamed } from './control-names.ts'
import { controlSchema } from './items.ts'
import { absent, findCcisOf, findDocument, listVersions } from './reader.ts'
import { controlAnswer, shapeSource } from './schemas.ts'

type Answer = z.infer<typeof controlAnswer>

/** A control of NIST SP 800-53, with its CCIs and rules. */
export function controlEndpoint({ database }: { readonly database: Pick<Database, 'read'> }): Endpoint {
  const id = z.string().max(100).refine(isStorable).meta({
    description: 'AC-2 (1), AC-2(1), or ac-2.1',
    example: 'AC-2 (1)',
  })
  return endpoint({
    ...OPEN,
    path: '/api/catalogue/controls/{id}.json',
    operation: 'getControl',
    summary: 'A control of NIST SP 800-53: its text, its CCIs, and the rules of each product that cite these',
    input: z.object({ params: z.object({ id }) }),
    answer: controlAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: ({ input: { params } }) => findControl(database.read, params.id),
  })
}

async function findControl(reader: Reader, name: string): Promise<Answer> {
  const id = controlNamed(name)
  const text = await findText(reader, id)
  const referring = await findReferring(reader, id)
  if (text.source === null && referring.cci_source === null) throw absent('cci_list')
  if (id === null || (text.text === null && referring.ccis.length === 0))
    throw new Refusal('not_found', `Neither the catalogue of controls nor the CCI list has ${id ?? name}.`)
  const benchmarks = await findCitingRules(reader, citing(referring.ccis.map((cci) => cci.id)))
  return { id, ...text, ...referring, severity_counts: totalSeverities(benchmarks), benchmarks }
}

/** The control in the newest catalogue that has it: a baseline that was imported later has only some of them. */
async function findText(reader: Reader, id: string | null): Promise<Pick<Answer, 'text' | 'source'>> {
  const sources = await listVersions(reader, 'sp800_53')
  for (const source of sources) {
    const document = id === null ? null : await findDocument(reader, source, id)
    if (document !== null) return { text: controlSchema.parse(document), source: shapeSource(source) }
  }
  const [newest] = sources
  return { text: null, source: newest === undefined ? null : shapeSource(newest) }
}

/** The CCIs of the newest list that refer to the control. */
async function findReferring(reader: Reader, id: string | null): Promise<Pick<Answer, 'ccis' | 'cci_source'>> {
  const [source] = await listVersions(reader, 'cci_list')
  if (source === undefined) return { ccis: [], cci_source: null }
  const found = id === null ? [] : await findCcisOf(reader, source, id)
  const ccis = found.map(({ revisions, ...cci }) => ({ ...cci, revisions: [...revisions] }))
  return { ccis, cci_source: shapeSource(source) }
}
