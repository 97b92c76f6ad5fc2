import type { z } from 'zod'
import type { Document } from '../../../../http/answer/answers.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import { citesCcis, findCitingRules, totalSeverities } from '../../benchmarks/citing-rules.ts'
import type { ItemSources } from '../ccis/documents.ts'
import { controlSchema } from '../items.ts'
import { shapeLinked } from '../linked-techniques.ts'
import { absentRefusal, findCcisOf, findFirstDocument, findItemIds, listVersions } from '../reader.ts'
import { shapeSource, type controlAnswer } from '../schemas.ts'
import { controlMatrix } from './control-matrix.ts'
import { controlNamed } from './control-names.ts'

type Answer = z.infer<typeof controlAnswer>

/** Reads a control with its CCIs, techniques and rules. Refuses if no list is loaded, or if none has the control. */
export async function readControl({ reader, links }: ItemSources, name: string): Promise<Answer> {
  const control = await requireControl(reader, name)
  const benchmarks = await findCitingRules(reader, citesCcis(control.ccis.map((cci) => cci.id)))
  return {
    ...control,
    ...shapeLinked(links, (ontology) => ontology.ofControl(control.id)),
    severity_counts: totalSeverities(benchmarks),
    benchmarks,
  }
}

/**
 * Reads the rules that cite the CCIs of a control, as a table. Refuses like `readControl`, and if no CCI list is
 * loaded.
 */
export async function readMatrix(reader: Reader, name: string): Promise<Document> {
  const control = await requireControl(reader, name)
  if (control.cci_source === null) throw absentRefusal('cci_list')
  return controlMatrix(reader, { control: control.id, ccis: control.ccis.map((cci) => cci.id) })
}

/** Finds the controls of the catalogues and the CCI list, by their names without spaces. */
export async function findControlIds(reader: Reader): Promise<readonly string[]> {
  const ofTexts = await findItemIds(reader, await listVersions(reader, 'sp800_53'))
  const [cciList] = await listVersions(reader, 'cci_list')
  const ofCcis =
    cciList === undefined
      ? []
      : await reader
          .selectFrom('reference_controls as place')
          .innerJoin('reference_items as item', 'item.id', 'place.item_id')
          .select('place.control as id')
          .distinct()
          .where('item.source_id', '=', cciList.id)
          .execute()
  const ids = [...ofTexts, ...ofCcis.map(({ id }) => id)].map((id) => id.replaceAll(' ', ''))
  return [...new Set(ids)].sort()
}

type ControlOfLists = Omit<Answer, 'severity_counts' | 'benchmarks' | 'ontology' | 'techniques'>

/** Reads a control from the lists. Refuses if no list is loaded, or if none has the control. */
async function requireControl(reader: Reader, name: string): Promise<ControlOfLists> {
  const control = controlNamed(name)
  const text = await findText(reader, control)
  const referring = await findReferring(reader, control)
  if (text.source === null && referring.cci_source === null) throw absentRefusal('cci_list')
  if (control === null || (text.text === null && referring.ccis.length === 0))
    throw new Refusal('not_found', `Neither the catalogue of controls nor the CCI list has ${control ?? name}.`)
  return { id: control, ...text, ...referring }
}

/**
 * Finds a control in the newest catalogue that has it: a baseline that was imported later contains only some controls.
 */
async function findText(reader: Reader, id: string | null): Promise<Pick<Answer, 'text' | 'source'>> {
  const sources = await listVersions(reader, 'sp800_53')
  const found = id === null ? null : await findFirstDocument(reader, sources, id)
  if (found !== null) return { text: controlSchema.parse(found.document), source: shapeSource(found.source) }
  const [newest] = sources
  return { text: null, source: newest === undefined ? null : shapeSource(newest) }
}

/** Finds the CCIs of the newest list that refer to the control. */
async function findReferring(reader: Reader, id: string | null): Promise<Pick<Answer, 'ccis' | 'cci_source'>> {
  const [source] = await listVersions(reader, 'cci_list')
  if (source === undefined) return { ccis: [], cci_source: null }
  const listedCcis = id === null ? [] : await findCcisOf(reader, source, id)
  const ccis = listedCcis.map(({ revisions, ...cci }) => ({ ...cci, revisions: [...revisions] }))
  return { ccis, cci_source: shapeSource(source) }
}
