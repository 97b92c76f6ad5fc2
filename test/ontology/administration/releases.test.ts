import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeRelease, rollbackRelease } from '../../../src/ontology/administration/administer.ts'
import { listReleases } from '../../../src/ontology/administration/releases.ts'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { ingestInto } from '../../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'

it('The list of releases names the target of a rollback and the releases that cannot be served', async () => {
  const dataDir = await temporaryFolder()
  for (const version of ['1.0.0', '2.0.0', '3.0.0', '4.0.0'])
    await ingestInto(dataDir, [TEN], { version, date: `202${version[0]}-01-01` })
  const folder = new ReleaseFolder(dataDir)
  const describeList = async () => {
    const { releases, active, previous, damaged } = await listReleases(folder)
    return { versions: releases.map(({ version }) => version), active, previous, damaged }
  }
  const versions = ['4.0.0', '3.0.0', '2.0.0', '1.0.0']
  expect(await describeList()).toEqual({ versions: versions, active: '4.0.0', previous: '3.0.0', damaged: [] })

  const manifest = await folder.manifest('3.0.0')
  if (manifest === null) throw new Error('There is no such release')
  await truncate(folder.graphPath(manifest), 100)
  expect(await describeList()).toMatchObject({ versions: versions, previous: '2.0.0', damaged: ['3.0.0'] })

  await writeFile(join(folder.root, 'releases', '2.0.0', 'manifest.json'), '{"version":')
  expect(await describeList()).toEqual({
    versions: ['4.0.0', '3.0.0', '1.0.0'],
    active: '4.0.0',
    previous: '1.0.0',
    damaged: ['3.0.0', '2.0.0'],
  })

  const nothingElse = () => Promise.resolve()
  for (const version of ['2.0.0', '3.0.0']) await removeRelease(folder, version, nothingElse)
  expect(await describeList()).toMatchObject({ previous: '1.0.0', damaged: [] })
  expect(await rollbackRelease(folder, nothingElse)).toEqual({ from: '4.0.0', to: '1.0.0' })
  expect(await describeList()).toMatchObject({ active: '1.0.0', previous: null })
})
