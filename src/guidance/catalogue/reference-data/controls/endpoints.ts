import { z } from 'zod'
import { DOCUMENT } from '../../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { isStorable } from '../../../../http/input.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Database } from '../../../database/database.ts'
import type { Reader } from '../../../database/transaction.ts'
import { citing, findCitingRules, totalSeverities } from '../../benchmarks/citing-rules.ts'
import { OPEN } from '../../open/input.ts'
import { controlSchema } from '../items.ts'
import { absent, findCcisOf, findDocument, listVersions } from '../reader.ts'
import { controlAnswer, shapeSource } from '../schemas.ts'
import { controlMatrix } from './control-matrix.ts'
import { controlNamed } from './control-names.ts'

type Answer = z.infer<typeof controlAnswer>

interface ControlParts {
  readonly database: Pick<Database, 'read'>
}

const id = z.string().max(100).refine(isStorable).meta({
  description: 'AC-2 (1), AC-2(1), or ac-2.1',
  example: 'AC-2 (1)',
})

const CONTROL = { ...OPEN, input: z.object({ params: z.object({ id }) }) }

/** A control of NIST SP 800-53 with its CCIs and rules, whole and as a table. */
export function controlEndpoints({ database: { read } }: ControlParts): readonly Endpoint[] {
  const whole = endpoint({
    ...CONTROL,
    path: '/api/catalogue/controls/{id}.json',
    operation: 'getControl',
    summary: 'A control of NIST SP 800-53: its text, its CCIs, and the rules of each product that cite these',
    answer: controlAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input: { params } }) => {
      const control = await requireControl(read, params.id)
      const benchmarks = await findCitingRules(read, citing(control.ccis.map((cci) => cci.id)))
      return { ...control, severity_counts: totalSeverities(benchmarks), benchmarks }
    },
  })
  const matrix = endpoint({
    ...CONTROL,
    path: '/api/catalogue/controls/{id}.csv',
    operation: 'getControlMatrix',
    summary: 'The rules of all products that cite a CCI of a control, as a table with one row for each CCI',
    answer: DOCUMENT,
    mediaTypes: ['text/csv'],
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input: { params } }) => {
      const control = await requireControl(read, params.id)
      if (control.cci_source === null) throw absent('cci_list')
      return controlMatrix(read, { control: control.id, ccis: control.ccis.map((cci) => cci.id) })
    },
  })
  return [whole, matrix]
}

type ControlOfLists = Omit<Answer, 'severity_counts' | 'benchmarks'>

/** Reads a control from the lists. Refuses where no list is loaded, and a control that none of them has. */
async function requireControl(reader: Reader, name: string): Promise<ControlOfLists> {
  const control = controlNamed(name)
  const text = await findText(reader, control)
  const referring = await findReferring(reader, control)
  if (text.source === null && referring.cci_source === null) throw absent('cci_list')
  if (control === null || (text.text === null && referring.ccis.length === 0))
    throw new Refusal('not_found', `Neither the catalogue of controls nor the CCI list has ${control ?? name}.`)
  return { id: control, ...text, ...referring }
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
