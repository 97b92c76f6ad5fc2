import { z } from 'zod'
import { isStorable } from '../../../../http/input.ts'

/** The members of ATT&CK's STIX objects that are read. https://github.com/mitre/cti/blob/master/USAGE.md */

const text = z.string().refine(isStorable, 'has characters that cannot be stored')
const token = text.min(1).max(255)

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).default([])
}

const reference = z.object({
  source_name: token,
  description: text.optional(),
  url: text.optional(),
  external_id: token.optional(),
})

const part = {
  id: token,
  modified: token.optional(),
  description: text.default(''),
  revoked: z.boolean().default(false),
  x_mitre_deprecated: z.boolean().default(false),
  external_references: listOf(reference),
}

/** An object with a name, such as a technique, a group or a detection strategy. */
export const namedSchema = z.object({
  ...part,
  type: token,
  created: token.optional(),
  name: text.min(1).max(1000),
  kill_chain_phases: listOf(z.object({ kill_chain_name: token, phase_name: token })),
  x_mitre_version: token.optional(),
  x_mitre_platforms: listOf(token),
  x_mitre_detection: text.default(''),
  x_mitre_shortname: token.optional(),
  x_mitre_analytic_refs: listOf(token),
})

export const relationSchema = z.object({
  ...part,
  relationship_type: token,
  source_ref: token,
  target_ref: token,
})

/** Members of every object of a bundle. */
export const anySchema = z.object({ type: token, id: token })

export const bundleSchema = z.object({ type: z.literal('bundle'), objects: z.array(z.unknown()) })

export type StixReference = z.infer<typeof reference>
export type StixObject = z.infer<typeof namedSchema>
export type StixRelation = z.infer<typeof relationSchema>
