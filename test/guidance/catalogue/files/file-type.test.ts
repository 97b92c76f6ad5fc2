import { describe, expect, it } from 'vitest'
import { fileType } from '../../../../src/guidance/catalogue/files/file-type.ts'
import { refusalOf } from '../../../support/refusal.ts'

describe('A file', () => {
  it.each([
    ['PK\x03\x04…', 'zip'],
    ['PK\x05\x06', 'zip'],
    ['<?xml version="1.0"?>', 'xml'],
    ['\ufeff\n <a>', 'xml'],
    ['<!-- <html> --><Benchmark>', 'xml'],
  ])('that begins with %j is %s', (start, type) => {
    expect(fileType(Buffer.from(start))).toBe(type)
  })

  it('is recognised as XML in UTF-16', () => {
    expect(fileType(Buffer.from('\ufeff<a/>', 'utf16le'))).toBe('xml')
  })

  it.each([
    ['', 'empty_file', 'empty'],
    [' \r\n', 'empty_file', 'empty'],
    ['<!DOCTYPE html><p>', 'unsupported_file_type', 'HTML'],
    ['<!-- a --> <HTML lang="en">', 'unsupported_file_type', 'HTML'],
    ['{"a": 1}', 'unsupported_file_type', 'JSON'],
    ['[{"a": 1}]', 'unsupported_file_type', 'JSON'],
    ['{"target_data": {}, "stigs": []}', 'unsupported_file_type', 'CKLB checklist'],
    ['%PDF-1.7', 'unsupported_file_type', 'PDF'],
    ['words', 'unsupported_file_type', 'not XML'],
  ])('that begins with %j is refused', async (start, code, words) => {
    const refusal = await refusalOf(() => fileType(Buffer.from(start)))
    expect([refusal.code, refusal.message]).toEqual([code, expect.stringContaining(words)])
  })

  it('is refused if it is a PNG image', async () => {
    const { message } = await refusalOf(() => fileType(Buffer.from('89504e470d0a', 'hex')))
    expect(message).toContain('PNG')
  })
})
