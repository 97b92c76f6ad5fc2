import { z } from 'zod'
import { attackGuidanceSchema } from '../../linked-data/attacks/schemas.ts'
import type { ReferenceSource } from '../reader.ts'
import { sourceSchema } from '../schemas.ts'
import { mitigationSchema, tacticSchema, techniqueSchema } from './items.ts'

const origin = {
  source: sourceSchema,
  attribution: z.string().meta({ description: 'The line that the terms of use of ATT&CK ask for' }),
}

export const attackAnswer = z.discriminatedUnion('type', [
  techniqueSchema.extend({
    ...origin,
    guidance: attackGuidanceSchema.nullable().meta({
      description:
        'The techniques of the ontology that counter it, and the rules that these lead to; null where the ontology does not have it',
    }),
  }),
  tacticSchema.extend(origin),
  mitigationSchema.extend(origin),
])

/** A technique in a list. */
export const techniqueRow = techniqueSchema.pick({
  id: true,
  domain: true,
  name: true,
  tactics: true,
  platforms: true,
  revoked: true,
  deprecated: true,
})

export type TechniqueRow = z.infer<typeof techniqueRow>

export const techniquesAnswer = z.object({
  sources: z.array(sourceSchema),
  attribution: origin.attribution,
  techniques: z.array(techniqueRow),
})

/** The copyright notice for these versions: https://attack.mitre.org/resources/legal-and-branding/terms-of-use/ */
export function attributionOf(sources: readonly ReferenceSource[]): string {
  const years = sources.map(({ published }) => published?.slice(0, 4) ?? '').sort()
  const permission = 'This work is reproduced and distributed with the permission of The MITRE Corporation.'
  return `© ${years.at(-1) ?? ''} The MITRE Corporation. ${permission}`
}
