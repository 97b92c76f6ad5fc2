import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { compareCodeUnits } from '../../../../graph/term.ts'
import type { Schema } from '../../../database/schema/schema.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { ComponentHead } from './job.ts'

/** Finds the fields for names of files. Sorts components by prefix, version, release and id. */
export async function findHeads(
  reader: Reader,
  condition: (is: ExpressionBuilder<Schema, 'components'>) => Expression<SqlBool>,
): Promise<readonly (ComponentHead & { readonly project_id: number })[]> {
  const components = await reader
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'version', 'release', 'document_type', 'project_id'])
    .where(condition)
    .execute()
  return components.sort(
    (a, b) =>
      compareCodeUnits(a.prefix, b.prefix) ||
      (a.version ?? 0) - (b.version ?? 0) ||
      (a.release ?? 0) - (b.release ?? 0) ||
      a.id - b.id,
  )
}
