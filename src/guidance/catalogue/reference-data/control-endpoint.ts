import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { isStorable } from '../../../http/input.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Database } from '../../database/database.ts'
import type { Reader } from '../../database/transaction.ts'
import { citing, findCitingRules } from '../benchmarks/citing-rules.ts'
import { controlNamed } from './control-names.ts'
import { controlSchema } from './items.ts'
import { absent, findCcisOf, findDocument, findNewest } from './reader.ts'
import { controlAnswer, shapeSource } from './schemas.ts'

type Answer = z.infer<typeof controlAnswer>

/** A control of NIST SP 800-53, with its CCIs and rules. */
export function controlEndpoint({ database }: { readonly database: Pick<Database, 'read'> }): Endpoint {
  const id = z.string().max(100).refine(isStorable).meta({
    description: 'AC-2 (1), AC-2(1), or ac-2.1',
    example: 'AC-2 (1)',
  })
  return endpoint({
    method: 'get',
    path: '/api/catalogue/controls/{id}.json',
    operation: 'getControl',
    tag: 'Catalogue',
    summary: 'A control of NIST SP 800-53: its text, its CCIs, and the rules of each product that cite these',
    access: everyone,
    open: true,
    input: z.object({ params: z.object({ id }) }),
    answer: controlAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    revalidates: true,
    handle: ({ input: { params } }) => findControl(database.read, params.id),
  })
}

async function findControl(reader: Reader, name: string): Promise<Answer> {
  const [catalog, list] = [await findNewest(reader, 'sp800_53'), await findNewest(reader, 'cci_list')]
  if (catalog === null && list === null) throw absent('cci_list')
  const id = controlNamed(name)
  if (id === null) throw unknown(name)
  const document = catalog === null ? null : await findDocument(reader, catalog, id)
  const ccis = list === null ? [] : await findCcisOf(reader, list, id)
  if (document === null && ccis.length === 0) throw unknown(id)
  const benchmarks = await findCitingRules(reader, citing(ccis.map((cci) => cci.id)))
  return {
    id,
    text: document === null ? null : controlSchema.parse(document),
    source: catalog === null ? null : shapeSource(catalog),
    cci_source: list === null ? null : shapeSource(list),
    ccis: ccis.map(({ revisions, ...cci }) => ({ ...cci, revisions: [...revisions] })),
    severity_counts: totalOf(benchmarks),
    benchmarks,
  }
}

function unknown(name: string): Refusal {
  return new Refusal('not_found', `Neither the catalogue of controls nor the CCI list has ${name}.`)
}

/** All products together. */
function totalOf(benchmarks: Answer['benchmarks']): Answer['severity_counts'] {
  const count = (severity: 'high' | 'medium' | 'low'): number =>
    benchmarks.reduce((sum, { severity_counts }) => sum + severity_counts[severity], 0)
  return { high: count('high'), medium: count('medium'), low: count('low') }
}
