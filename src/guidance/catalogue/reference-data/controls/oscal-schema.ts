import { z } from 'zod'
import { isStorable } from '../../../../http/input.ts'

/** The members of OSCAL catalogues that are read; others are ignored. https://pages.nist.gov/OSCAL/reference/ */

const text = z.string().refine(isStorable, 'has characters that cannot be stored')
const token = text.min(1).max(255)

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).default([])
}

const prop = z.object({ name: token, value: text, class: text.optional() })
const link = z.object({ href: text, rel: text.optional() })

const parameter = z.object({
  id: token,
  label: text.optional(),
  values: listOf(text),
  select: z.object({ 'how-many': text.optional(), choice: listOf(text) }).optional(),
  guidelines: listOf(z.object({ prose: text })),
})

const part = z.object({
  id: token.optional(),
  name: token,
  prose: text.optional(),
  props: listOf(prop),
  get parts() {
    return z.array(part).optional()
  },
})

const control = z.object({
  id: token,
  title: text,
  params: listOf(parameter),
  props: listOf(prop),
  links: listOf(link),
  parts: listOf(part),
  get controls() {
    return z.array(control).optional()
  },
})

const group = z.object({
  title: text,
  params: listOf(parameter),
  controls: listOf(control),
  get groups() {
    return z.array(group).optional()
  },
})

export const catalogSchema = z.object({
  metadata: z.object({
    title: text.min(1),
    version: text.min(1),
    published: text.optional(),
    'last-modified': text.optional(),
  }),
  params: listOf(parameter),
  controls: listOf(control),
  groups: listOf(group),
  'back-matter': z
    .object({ resources: listOf(z.object({ uuid: token, title: text.optional() })) })
    .default({ resources: [] }),
})

export type OscalCatalog = z.infer<typeof catalogSchema>
export type OscalControl = z.infer<typeof control>
export type OscalGroup = z.infer<typeof group>
export type OscalParameter = z.infer<typeof parameter>
export type OscalPart = z.infer<typeof part>
export type OscalProp = z.infer<typeof prop>
