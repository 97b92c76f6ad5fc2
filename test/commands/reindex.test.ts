import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { builtModule } from '../support/build.ts'
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'

async function run({ dataDir, url }: FreshDatabase, ...args: readonly string[]): Promise<string> {
  const place = { SERVICE_DATA_DIR: dataDir, ...(url !== null && { SERVICE_DATABASE_URL: url }) }
  const command = [builtModule('src/commands/reindex.ts'), ...args]
  const env = { ...process.env, ...place }
  return (await promisify(execFile)(process.execPath, command, { env })).stdout
}

it('npm run reindex works out the words that are missing', async () => {
  const fresh = await freshDatabase()
  const database = await fresh.open()
  await database.transact(async (writer) => {
    const now = new Date().toISOString()
    const { id } = await writer
      .insertInto('benchmarks')
      .values({
        ...{ kind: 'stig', benchmark_id: 'A_STIG', version: 'V1R1', title: 'A', name: 'A' },
        ...{ major: 1, minor: 1, patch: 0, xccdf: '1.1', core: 0, digest: '', warnings: '[]' },
        ...{ rule_count: 1, high_count: 0, medium_count: 1, low_count: 0, created_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rule = { rule_id: 'SV-1r1_rule', title: 'Kettles', severity: 'medium', weight: '10.0' }
    await writer
      .insertInto('benchmark_rules')
      .values({ ...rule, severity: 'medium', benchmark_id: id, position: 0 })
      .execute()
  })
  await fresh.run('delete from benchmark_words')
  expect(await run(fresh)).toBe('The words of 1 records are up to date.\n')
  expect(await fresh.run('select word from benchmark_words')).toEqual([{ word: 'kettles' }])
})

it('npm run reindex takes nothing else', async () => {
  const fresh = await freshDatabase()
  expect(await run(fresh, '--help')).toContain('Usage: npm run reindex')
  await expect(run(fresh, 'rules')).rejects.toThrow('Usage: npm run reindex')
})
