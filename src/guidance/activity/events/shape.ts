import { z } from 'zod'

/** An event as streams, pages and webhooks send it. */
export const eventSchema = z.object({
  id: z.int().meta({ description: 'Later events have higher numbers' }),
  kind: z.string().meta({ description: 'Such as rule.updated' }),
  created_at: z.string(),
  actor: z.string().meta({ description: 'The name, at that time, of the person who did it' }),
  project_id: z.int(),
  component_id: z.int().nullable(),
  data: z
    .record(z.string(), z.json())
    .meta({ description: 'Numbers of records, names and states; never texts of guidance' }),
})

export type Event = z.infer<typeof eventSchema>
