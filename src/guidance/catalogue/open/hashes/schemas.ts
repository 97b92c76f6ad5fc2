import { z } from 'zod'
import { ontologySchema } from '../../linked-data/countermeasures/links.ts'

const records = z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })).meta({
  description:
    'By address, percent-encoded: size and SHA-256 of the uncompressed answer; the ETag begins with the first 32 digits',
})

const ontology = ontologySchema.nullable().meta({
  description: 'The release of the ontology that the links of rules are from; null: there are none',
})

const cci_list = ontologySchema.nullable().meta({
  description: 'The CCI list that the definitions of CCIs are from; null: none is loaded',
})

const digest = z.string().meta({ description: 'SHA-256 (hex) of the content' })

export const releaseHashesSchema = z.object({
  benchmark_id: z.string(),
  version: z.string(),
  digest,
  ontology,
  cci_list,
  records,
})

export const catalogueHashesSchema = z.object({
  ontology,
  cci_list,
  records,
  releases: z
    .array(z.object({ benchmark_id: z.string(), version: z.string(), digest, hashes: z.string() }))
    .meta({ description: 'All releases, each with the address of the hashes of its own documents' }),
})

export type Hash = z.infer<typeof records>[string]
