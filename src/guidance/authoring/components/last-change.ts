import { sql } from 'kysely'

/**
 * The time at which a component or one of its rules was changed last; an edit of a rule leaves the component's own row
 * alone, so that authors do not wait for each other.
 */
export const lastChange = sql<string>`coalesce(
  (select max(rules.updated_at) from rules
    where rules.component_id = components.id and rules.updated_at > components.updated_at),
  components.updated_at)`
