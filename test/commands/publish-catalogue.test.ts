import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storeWith } from '../support/catalogue.ts'
import { runProgram, type Ended } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folder.ts'
import { environmentOf, freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'
import { matching } from '../support/matchers.ts'
import { hasNginx, startNginx } from '../support/nginx.ts'
import { ingestInto } from '../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'

function run(
  database: FreshDatabase,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runProgram('src/commands/publish.ts', args, { ...environmentOf(database), ...settings })
}

async function withTeapot(): Promise<FreshDatabase> {
  const fresh = await freshDatabase()
  await (await fresh.open()).transact((writer) => storeWith(writer, {}))
  return fresh
}

describe('npm run publish -- --catalogue', () => {
  it('writes the catalogue next to the ontology without removing its files', async () => {
    const fresh = await withTeapot()
    await ingestInto(fresh.dataDir, [TEN], { version: '1.0.0', date: '2026-01-31' })
    const out = await temporaryFolder()
    const args = ['--out', out, '--no-describe', '--base-url', 'https://x.example']
    const { code, stdout, stderr } = await run(fresh, [...args, '--catalogue'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('Publishing the catalogue')])
    const [, written] =
      /^The catalogue \(1 release\) is published in .*: ([1-9]\d*) files written, 0 were there already/.exec(stdout) ??
      []
    expect(stdout).toMatch(/^Release 1\.0\.0 is published in /m)
    expect(await readdir(out)).toEqual(expect.arrayContaining(['manifest.json', 'catalogue-manifest.json']))
    const feed = await readFile(join(out, 'api/catalogue/benchmarks.atom'), 'utf8')
    expect(feed).toContain('<id>https://x.example/api/catalogue/benchmarks.atom</id>')
    await run(fresh, args)
    const again = await run(fresh, [...args, '--only', 'catalogue'])
    expect(again.stdout).toContain(` 0 files written, ${written} were there`)
    expect(await readdir(join(out, 'api'))).toEqual(expect.arrayContaining(['catalogue', 'tactic']))
  })

  it.skipIf(!hasNginx)('writes a tree that nginx serves with the media types of the service', async () => {
    const fresh = await withTeapot()
    await ingestInto(fresh.dataDir, [TEN], { version: '1.0.0', date: '2026-01-31' })
    const out = await temporaryFolder()
    await run(fresh, ['--out', out, '--no-describe', '--catalogue'])
    const server = await startNginx(out)
    onTestFinished(async () => {
      await server.close()
    })
    const folder = '/api/catalogue/benchmarks'
    const answered = async (path: string) => {
      const { status, headers } = await server.get(folder + path)
      return [status, headers['content-type'], headers['access-control-allow-origin']]
    }
    expect(await answered('.json')).toEqual([200, 'application/json; charset=utf-8', '*'])
    expect(await answered('.atom')).toEqual([200, 'application/atom+xml; charset=utf-8', '*'])
    expect(await answered('/Teapot_STIG/V1R1/Teapot_STIG.xml')).toEqual([200, matching(/^application\/xml/), '*'])
    expect(await answered('/Teapot_STIG/V1R1/Teapot_STIG.csv')).toEqual([200, matching(/^text\/csv/), '*'])
    expect((await server.get('/.catalogue-journal')).status).toBe(404)
  })

  it('writes only the catalogue if there is no ontology', async () => {
    const out = await temporaryFolder()
    const { code } = await run(await withTeapot(), ['--out', out, '--only', 'catalogue'])
    expect([code, (await readdir(out)).sort()]).toEqual([0, ['api', 'catalogue-manifest.json']])
    const rule = join(out, 'api/catalogue/benchmarks/Teapot_STIG/V1R1/rules/SV-1000001r1_rule.json')
    expect(JSON.parse(await readFile(rule, 'utf8'))).toMatchObject({ ontology: null, links: [] })
  })

  it('is refused if the catalogue is not public, and writes nothing', async () => {
    const out = await temporaryFolder()
    const args = ['--out', out, '--catalogue']
    const { code, stderr } = await run(await withTeapot(), args, { SERVICE_CATALOGUE_PUBLIC: 'false' })
    expect([code, await readdir(out)]).toEqual([1, []])
    expect(stderr).toContain('SERVICE_CATALOGUE_PUBLIC is false')
  })
})
