import type { z } from 'zod'
import type { Reader } from '../../../database/transaction.ts'
import { citesCcis, findCitingRules } from '../../benchmarks/citing-rules.ts'
import type { ControlLinks } from '../../linked-data/countermeasures/control-links.ts'
import { cciNamed, controlsOf } from '../controls/control-names.ts'
import { isDeprecated } from '../items.ts'
import { shapeLinked } from '../linked-techniques.ts'
import { listCcis, requireCci, type ReferenceSource } from '../reader.ts'
import { shapeRow, shapeSource, type cciAnswer, type ccisAnswer } from '../schemas.ts'

/** The sources of answers about CCIs and controls. */
export interface ItemSources {
  readonly reader: Reader
  /** Null without a release of the ontology. */
  readonly links: ControlLinks | null
}

/** All CCIs of a list. */
export async function readAllCcis(reader: Reader, source: ReferenceSource): Promise<z.infer<typeof ccisAnswer>> {
  return { source: shapeSource(source), ccis: (await listCcis(reader, source)).map(shapeRow) }
}

/** Reads a CCI of a list with its techniques and rules. Refuses `not_found` if the list does not have it. */
export async function readCci(
  { reader, links }: ItemSources,
  source: ReferenceSource,
  name: string,
): Promise<z.infer<typeof cciAnswer>> {
  const cci = await requireCci(reader, source, { name, id: cciNamed(name) })
  const controls = [...controlsOf(cci.references)]
  return {
    ...cci,
    controls,
    deprecated: isDeprecated(cci),
    in_revision_5: controls.some(({ revision }) => revision === 5),
    source: shapeSource(source),
    ...shapeLinked(links, (ontology) => ontology.from(cci.id)),
    benchmarks: await findCitingRules(reader, citesCcis([cci.id])),
  }
}
