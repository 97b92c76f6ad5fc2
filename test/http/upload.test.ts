import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { receiveUpload } from '../../src/http/upload.ts'
import { temporaryFolder } from '../support/folder.ts'
import { encodeForm } from '../support/form.ts'
import { syncedDuring } from '../support/synced.ts'

it('A file that was received is on the disk', async () => {
  const folder = await temporaryFolder()
  const { headers, body } = encodeForm({ file: '<Benchmark/>' })
  const form = { headers: { 'content-type': headers['Content-Type'] }, body: Readable.from([body]) }
  let inode = 0
  const synced = await syncedDuring(async () => {
    const { path } = await receiveUpload(form, { folder, maxBytes: 100 })
    inode = (await stat(path)).ino
  })
  expect(synced).toMatchObject([{ ino: inode, size: '<Benchmark/>'.length }])
})
