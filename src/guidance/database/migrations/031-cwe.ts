import type { Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'
import { attack } from './030-attack.ts'

/** Lets CWE be reference data too. */
export async function cwe(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await attack(db, dialect, ['cci_list', 'sp800_53', 'attack', 'cwe'])
}
