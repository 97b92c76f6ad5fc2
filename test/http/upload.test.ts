// @module-tag node

import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { receiveUpload } from '../../src/http/upload.ts'
import { temporaryFolder } from '../support/folder.ts'
import { encodeForm, encodeParts, fieldPart, filePart } from '../support/form.ts'
import { syncedDuring } from '../support/synced.ts'

it('A received file is synced to the disk, and only its owner may read it', async () => {
  const folder = await temporaryFolder()
  const { headers, body } = encodeForm({ file: '<Benchmark/>' })
  const form = { headers: { 'content-type': headers['Content-Type'] }, body: Readable.from([body]) }
  const created = { inode: 0, mode: 0 }
  const synced = await syncedDuring(async () => {
    const { path } = await receiveUpload(form, { folder, maxBytes: 100 })
    const { ino, mode } = await stat(path)
    Object.assign(created, { inode: ino, mode: mode & 0o777 })
  })
  expect(created.mode).toBe(0o600)
  expect(synced).toMatchObject([{ ino: created.inode, size: '<Benchmark/>'.length }])
})

// The parser waited for ever for a part that it leaves out and that ended in one piece of the body with its start.
it.each([16_384, 65_536])('A file in another field is refused, in pieces of %i bytes', async (piece) => {
  const folder = await temporaryFolder()
  const text = 'x'.repeat(30_000)
  const parts = ['file', 'other', 'third'].map((name) => filePart(name, 'a.csv', text))
  const { headers, body } = encodeParts([...parts, { disposition: 'attachment', content: text }])
  const pieces = Array.from({ length: Math.ceil(body.length / piece) }, (_none, index) =>
    body.subarray(index * piece, (index + 1) * piece),
  )
  const form = { headers: { 'content-type': headers['Content-Type'] }, body: Readable.from(pieces) }
  await expect(receiveUpload(form, { folder, maxBytes: 1_000_000 })).rejects.toMatchObject({
    code: 'parameter_invalid',
    message: 'There is a file in the field "other". Send one file, in the field "file".',
  })
  expect(await readdir(folder)).toEqual([])
})

it('A field without a chosen file counts as missing', async () => {
  const folder = await temporaryFolder()
  const { headers, body } = encodeParts([filePart('file', 'a.csv', 'x'), filePart('other', '', '')])
  const form = { headers: { 'content-type': headers['Content-Type'] }, body: Readable.from([body]) }
  expect(await receiveUpload(form, { folder, maxBytes: 100 })).toMatchObject({ bytes: 1 })
})

it('More values than a form may have are refused', async () => {
  const folder = await temporaryFolder()
  const values = Array.from({ length: 21 }, (_none, index) => fieldPart(`value${index}`, 'x'))
  const { headers, body } = encodeParts([...values, filePart('file', 'a.csv', 'x')])
  const form = { headers: { 'content-type': headers['Content-Type'] }, body: Readable.from([body]) }
  await expect(receiveUpload(form, { folder, maxBytes: 100 })).rejects.toMatchObject({ code: 'parameter_invalid' })
  expect(await readdir(folder)).toEqual([])
})

it('Two files in one field are both refused', async () => {
  const folder = await temporaryFolder()
  const { headers, body } = encodeParts(['a.csv', 'b.csv'].map((name) => filePart('file', name, 'x')))
  const form = { headers: { 'content-type': headers['Content-Type'] }, body: Readable.from([body]) }
  await expect(receiveUpload(form, { folder, maxBytes: 100 })).rejects.toMatchObject({
    code: 'parameter_invalid',
    message: 'There is more than one file in the field "file". Send them one at a time.',
  })
  expect(await readdir(folder)).toEqual([])
})

it('The rest of a refused form is read, so that the connection can be used again', async () => {
  const folder = await temporaryFolder()
  const { headers, body } = encodeForm({ file: 'x'.repeat(1_000_000) })
  const pieces = Array.from({ length: 20 }, (_none, index) => body.subarray(index * 60_000, (index + 1) * 60_000))
  const form = { headers: { 'content-type': headers['Content-Type'] }, body: Readable.from(pieces) }
  const ended = once(form.body, 'end')
  await expect(receiveUpload(form, { folder, maxBytes: 1000 })).rejects.toMatchObject({ code: 'too_large' })
  await ended
  expect(form.body.readableDidRead && form.body.readableEnded).toBe(true)
})
