import { sql } from 'kysely'

/**
 * The time of the last change of a component or of one of its rules. An edit of a rule does not touch the component's
 * own row, so that authors do not wait for each other.
 */
export const lastChange = sql<string>`coalesce(
  (select max(rules.updated_at) from rules
    where rules.component_id = components.id and rules.updated_at > components.updated_at),
  components.updated_at)`
