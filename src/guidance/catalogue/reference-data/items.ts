import { z } from 'zod'
import { REFERENCE_KINDS, type ReferenceKind } from '../../../tables/reference-kinds.ts'
import type { AttackItem } from './attack/items.ts'
import type { CweItem } from './cwe/items.ts'

const text = z.string().nullable()

export const referenceKind = z.enum(['cci_list', 'sp800_53', 'attack', 'cwe'])

export const referenceSchema = z.object({
  creator: text,
  title: text,
  version: text,
  location: text,
  index: text.meta({ description: 'The place in the document, such as AC-1 a 1' }),
})

/** A CCI as DISA describes it. */
export const cciSchema = z.object({
  id: z.string().regex(/^CCI-\d{6}$/),
  status: text.meta({ description: 'draft, published or deprecated' }),
  published: text,
  contributor: text,
  definition: z.string().min(1),
  types: z.array(z.string()).meta({ description: 'policy, technical, or both' }),
  parameters: z.array(z.string()),
  notes: z.array(z.string()),
  references: z.array(referenceSchema),
})

/** Whether DISA has deprecated a CCI. Lists use two words for it. */
export function isDeprecated({ status }: Pick<z.infer<typeof cciSchema>, 'status'>): boolean {
  return /^(?:deprecated|withdrawn)$/i.test(status?.trim() ?? '')
}

/** A line of text with its level in an outline. */
const lineSchema = z.object({
  id: text,
  label: text.meta({ description: 'As the publisher numbers it: a., 1.' }),
  depth: z.int().meta({ description: 'From 0' }),
  text: z.string(),
})

/** A control or an enhancement of NIST SP 800-53. */
export const controlSchema = z.object({
  id: z.string().min(1),
  oscal_id: z.string(),
  title: z.string(),
  family: z.string(),
  /** The control of this enhancement. */
  enhances: text,
  withdrawn: z.boolean(),
  statement: z.array(lineSchema),
  guidance: z.array(lineSchema),
  parameters: z.array(
    z.object({
      id: z.string(),
      text: z.string().meta({ description: 'As it stands in the statement' }),
      guidelines: z.array(z.string()),
    }),
  ),
  links: z.array(
    z.object({
      rel: text,
      href: z.string(),
      text: text.meta({ description: 'The control that it leads to, or the title of the document' }),
    }),
  ),
  enhancements: z.array(z.string()),
})

export type Cci = z.infer<typeof cciSchema>
export type Reference = z.infer<typeof referenceSchema>
export type Control = z.infer<typeof controlSchema>
export type Line = z.infer<typeof lineSchema>

export type ReferenceItem = Cci | Control | AttackItem | CweItem

/** One version of a list that was read. */
export interface ReferenceData {
  readonly kind: ReferenceKind
  readonly title: string
  readonly version: string
  readonly published: string | null
  readonly items: readonly ReferenceItem[]
}

/** Limit of items, several times the number in the longest list. */
export const MAX_ITEMS = 20_000

/**
 * Names a version of a list, such as `CCI list 2016-06-27` or `ATT&CK Enterprise 18.1`; each domain of ATT&CK is a list
 * of its own.
 */
export function nameOf({ kind, title, version }: Pick<ReferenceData, 'kind' | 'title' | 'version'>): string {
  return `${kind === 'attack' ? title : REFERENCE_KINDS[kind].name} ${version}`
}
