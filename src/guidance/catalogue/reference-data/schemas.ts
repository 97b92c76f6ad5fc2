import { z } from 'zod'
import { isStorable } from '../../../http/input.ts'
import { citingBenchmarks } from '../benchmarks/citing-rules.ts'
import { controlsOf } from './controls/control-names.ts'
import { cciSchema, controlSchema, isDeprecated, referenceKind, type Cci } from './items.ts'
import { linkedTechniques } from './linked-techniques.ts'
import type { ReferenceSource } from './reader.ts'

/** Parameters of requests for the CCI list. */
export const listQuery = z.object({
  version: z.string().max(200).refine(isStorable, 'cannot be a version').optional().meta({
    description: 'The version of the list that answers; by default the newest',
    example: '2016-06-27',
  }),
})

export const sourceSchema = z.object({
  kind: referenceKind,
  title: z.string(),
  version: z.string(),
  published: z.string().nullable(),
  digest: z.string().meta({ description: 'SHA-256 (hex) of the document' }),
  file_name: z.string(),
  item_count: z.int(),
  imported_at: z.string(),
})

export const placeSchema = z.object({
  revision: z.int().meta({ description: 'Of NIST SP 800-53' }),
  control: z.string().meta({ description: 'AC-2 (1)' }),
  index: z.string().meta({ description: 'With the part of the control: AC-2 (1) (a)' }),
})

export const cciRow = cciSchema.pick({ id: true, definition: true, types: true, status: true }).extend({
  deprecated: z.boolean().meta({ description: 'Its status is deprecated or withdrawn' }),
  controls: z.array(placeSchema),
})

export const sourcesAnswer = z.object({ sources: z.array(sourceSchema) })

export const ccisAnswer = z.object({ source: sourceSchema, ccis: z.array(cciRow) })

export const foundCcis = ccisAnswer.extend({
  total: z.int().meta({ description: 'How many were found; the first of them are answered' }),
})

export const cciAnswer = cciSchema.extend({
  controls: z.array(placeSchema),
  deprecated: z.boolean().meta({ description: 'Its status is deprecated or withdrawn' }),
  in_revision_5: z.boolean().meta({ description: 'It refers to revision 5 of NIST SP 800-53' }),
  source: sourceSchema,
  ...linkedTechniques.shape,
  benchmarks: citingBenchmarks,
})

export const controlAnswer = z.object({
  id: z.string(),
  text: controlSchema.nullable().meta({ description: 'Null where the catalogue is not loaded or lacks it' }),
  source: sourceSchema.nullable().meta({ description: 'The catalogue; null where it is not loaded' }),
  cci_source: sourceSchema.nullable().meta({ description: 'The list of CCIs; null where it is not loaded' }),
  ccis: z
    .array(
      cciRow.omit({ controls: true }).extend({
        revisions: z.array(z.int()).meta({ description: 'In which of them it refers to the control' }),
      }),
    )
    .meta({ description: 'CCIs that refer to the control itself; those of enhancements are with these' }),
  ...linkedTechniques.shape,
  severity_counts: z.object({ high: z.int(), medium: z.int(), low: z.int() }),
  benchmarks: citingBenchmarks,
})

/** Shapes a version of a list for answers. */
export function shapeSource(source: ReferenceSource): z.infer<typeof sourceSchema> {
  const { id: _id, fileName: file_name, itemCount: item_count, importedAt: imported_at, ...rest } = source
  return { ...rest, file_name, item_count, imported_at }
}

/** Shapes a CCI for lists. */
export function shapeRow(cci: Cci): z.infer<typeof cciRow> {
  const { id, definition, types, status, references } = cci
  return { id, definition, types, status, deprecated: isDeprecated(cci), controls: [...controlsOf(references)] }
}
