import { z } from 'zod'
import { requiredText } from '../../../http/input.ts'

/** A template for replies of triagers. */
export const templateSchema = z.object({
  id: z.int(),
  name: z.string(),
  body: z.string(),
  created_by_id: z.int().nullable(),
  created_at: z.string(),
})

export type Template = z.infer<typeof templateSchema>

const name = requiredText('Name', { max: 200 })
const body = requiredText('Body', { max: 10_000 })

export const newTemplate = z.object({ name, body })

export const templateChanges = z.object({ name: name.optional(), body: body.optional() })

export type TemplateChanges = z.infer<typeof templateChanges>
