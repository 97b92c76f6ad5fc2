import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ingestStarter } from '../../../src/ontology/ingest/starter.ts'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import { createLog } from '../../../src/platform/log.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { ingestInto, STARTER } from '../../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'
const VERSION = '0.1.0-starter'

/** Starts in a folder that was prepared so, and returns the active version. */
async function activeAfter(prepare: (folder: ReleaseFolder) => Promise<void>) {
  const dataDir = await temporaryFolder()
  const folder = new ReleaseFolder(dataDir)
  await prepare(folder)
  await ingestStarter(dataDir, createLog('silent'))
  return { active: await folder.active(), versions: [...(await folder.versions())].sort() }
}

async function ingestTen(folder: ReleaseFolder): Promise<void> {
  await ingestInto(join(folder.root, '..'), [TEN], { version: '1.0.0', date: '2026-01-01' })
}

describe('The bundled ontology', () => {
  it('is ingested into a folder without releases', async () => {
    expect(await activeAfter(() => Promise.resolve())).toEqual({ active: VERSION, versions: [VERSION] })
  })

  it('leaves the active release alone', async () => {
    expect(await activeAfter(ingestTen)).toEqual({ active: '1.0.0', versions: ['1.0.0'] })
  })

  it('does not replace a release whose active marker is lost', async () => {
    const outcome = await activeAfter(async (folder) => {
      await ingestTen(folder)
      await rm(join(folder.root, 'active'))
    })
    expect(outcome).toEqual({ active: null, versions: ['1.0.0'] })
  })

  it('does not replace releases that only the history names', async () => {
    const outcome = await activeAfter(async (folder) => {
      await ingestTen(folder)
      await folder.activate('2.0.0')
      await rm(join(folder.root, 'active'))
      await rm(join(folder.root, 'releases'), { recursive: true })
    })
    expect(outcome).toEqual({ active: null, versions: [] })
  })

  it('is activated if the first start was interrupted before that', async () => {
    const outcome = await activeAfter(async (folder) => {
      await ingestInto(join(folder.root, '..'), STARTER)
      await rm(join(folder.root, 'active'))
    })
    expect(outcome).toEqual({ active: VERSION, versions: [VERSION] })
  })
})
