import { z } from 'zod'

const uuid = z.uuid()
const prop = z.object({ name: z.string(), ns: z.string(), value: z.string() })

const item = z.object({
  type: z.literal('control'),
  'id-ref': z.string().meta({ description: 'CCI-000015, ac-2.1, D3-AL' }),
  remarks: z.string().optional(),
})

const resource = z.object({
  ns: z.string().optional(),
  type: z.enum(['catalog', 'cci-list', 'ontology']),
  href: z.string(),
  remarks: z.string(),
})

const gap = z.object({ uuid, 'unmapped-controls': z.array(z.object({ 'with-ids': z.array(z.string()) })) })

const map = z.object({
  uuid,
  relationship: z.enum(['equivalent-to', 'subset-of', 'superset-of', 'intersects-with']),
  sources: z.array(item),
  targets: z.array(item),
  props: z.array(prop).optional(),
})

const mapping = z.object({
  uuid,
  'source-resource': resource,
  'target-resource': resource,
  maps: z.array(map),
  remarks: z.string().optional(),
  'source-gap-summary': gap.optional(),
  'target-gap-summary': gap.optional(),
})

/** A mapping collection of OSCAL 1.2 (NIST), as far as we write it. */
export const mappingCollection = z.object({
  'mapping-collection': z.object({
    uuid,
    metadata: z.object({
      title: z.string(),
      'last-modified': z.string(),
      version: z.string(),
      'oscal-version': z.string(),
    }),
    provenance: z.object({
      method: z.literal('human'),
      'matching-rationale': z.literal('semantic'),
      status: z.literal('complete'),
      'mapping-description': z.string(),
    }),
    mappings: z.array(mapping),
  }),
})

export type MappingCollection = z.infer<typeof mappingCollection>
export type Mapping = z.infer<typeof mapping>
export type MapEntry = z.infer<typeof map>
export type MappedResource = z.infer<typeof resource>
