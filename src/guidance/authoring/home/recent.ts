import { findComponentHistory } from '../../activity/audits/reader.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Home } from './schemas.ts'

const MAX_COMPONENTS = 3
const MAX_CHANGES = 8

/** The newest changes in the first of these components. */
export async function findRecentChanges(reader: Reader, components: Home['own_components']): Promise<Home['recent']> {
  const histories = components.slice(0, MAX_COMPONENTS).map(async ({ id: component_id }) => {
    const changes = await findComponentHistory(reader, component_id, MAX_CHANGES)
    return changes.map((change) => ({ ...change, component_id }))
  })
  const changes = (await Promise.all(histories)).flat()
  return changes.toSorted((one, other) => other.id - one.id).slice(0, MAX_CHANGES)
}
