import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inventory, send } from '../../../support/catalogue.ts'
import { encodeForm, encodeParts, fieldPart, filePart, type EncodedForm, type Part } from '../../../support/form.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import { formOddity, withFormOddity } from '../../../support/odd-input.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'

const guidance = guidanceService()

const FILE = xccdfDocument()
const GOOD = filePart('file', 'teapot.xml', FILE)
const OTHER = filePart('other', 'b.xml', FILE)
const form = encodeForm({ file: FILE })

const admin = signedIn(guidance, 'Root', { admin: true })

/** The answer to a form that was encoded by hand. */
async function deliver({ headers, body }: EncodedForm): Promise<{ status: number; body: unknown }> {
  const { cookie: Cookie, csrfToken } = admin
  const sent = { ...headers, Cookie, 'X-CSRF-Token': csrfToken }
  const answer = await guidance().service.get('/stigs', { method: 'POST', headers: sent, body })
  return { status: answer.status, body: JSON.parse(answer.body.toString('utf8')) }
}

function typed(type: string): EncodedForm {
  return { headers: { 'Content-Type': type }, body: form.body }
}

/** A form that ends before its last part does. */
function cutOff(parts: readonly Part[]): EncodedForm {
  const { headers, body } = encodeParts(parts)
  return { headers, body: body.subarray(0, -50) }
}

function bytes(text: string): EncodedForm {
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=a' }, body: Buffer.from(text) }
}

const DISPOSITION = 'Content-Disposition: form-data; name="file"; filename="a.xml"'

describe('A form', () => {
  const refused: readonly (readonly [string, number, string, EncodedForm])[] = [
    ['of nothing', 400, 'parameter_missing', encodeParts([])],
    ['without a file', 400, 'parameter_missing', encodeParts([fieldPart('replace', 'true')])],
    ['with a text for the file', 400, 'parameter_missing', encodeParts([fieldPart('file', FILE)])],
    ['with the file in another field', 400, 'parameter_missing', encodeParts([filePart('document', 'a.xml', FILE)])],
    ['with the file in File', 400, 'parameter_missing', encodeParts([filePart('File', 'a.xml', FILE)])],
    ['with an empty file', 422, 'empty_file', encodeParts([filePart('file', 'a.xml', '')])],
    ['that is cut off in the file', 400, 'parameter_invalid', { ...form, body: form.body.subarray(0, 500) }],
    ['that is cut off at its last line', 400, 'parameter_invalid', { ...form, body: form.body.subarray(0, -6) }],
    ['that is cut off in a header', 400, 'parameter_invalid', { ...form, body: form.body.subarray(0, 60) }],
    // These brought the process down: nobody listened to the end of a file that is not wanted.
    ['that is cut off in another file', 400, 'parameter_invalid', cutOff([OTHER])],
    ['that is cut off in a second file', 400, 'parameter_invalid', cutOff([GOOD, OTHER])],
    ['with a file beside it', 400, 'parameter_invalid', encodeParts([GOOD, OTHER])],
    ['with two files', 400, 'parameter_invalid', encodeParts([GOOD, GOOD])],
    ['of no bytes', 400, 'parameter_invalid', { ...form, body: Buffer.alloc(0) }],
    ['of other bytes', 400, 'parameter_invalid', bytes('Tea')],
    ['of NUL', 400, 'parameter_invalid', bytes('\0'.repeat(1000))],
    ['without a boundary', 400, 'parameter_invalid', typed('multipart/form-data')],
    ['with an empty boundary', 400, 'parameter_missing', typed('multipart/form-data; boundary=')],
    ['with another boundary', 400, 'parameter_invalid', typed('multipart/form-data; boundary=other')],
    ['of another kind', 415, 'unsupported_media_type', typed('multipart/mixed; boundary=a')],
    ['as JSON', 415, 'unsupported_media_type', typed('application/json')],
    ['as XML', 415, 'unsupported_media_type', typed('application/xml')],
    ['of no kind', 415, 'unsupported_media_type', { headers: {}, body: form.body }],
    [
      'of a part without a name',
      400,
      'parameter_missing',
      bytes(`--a\r\nContent-Disposition: form-data; filename="a.xml"\r\n\r\n${FILE}\r\n--a--\r\n`),
    ],
    ['of a part without a disposition', 400, 'parameter_missing', bytes('--a\r\n\r\nx\r\n--a--\r\n')],
    [
      'with a value that is too long',
      422,
      'validation_failed',
      encodeParts([fieldPart('version', 'V1R1'.padEnd(200_000, '1')), GOOD]),
    ],
    [
      'with a value twice, the last being odd',
      422,
      'validation_failed',
      encodeParts([fieldPart('replace', 'true'), fieldPart('replace', 'x'), GOOD]),
    ],
  ]

  it.for(refused)('%s is refused with %i %s and leaves nothing', async ([, status, code, odd]) => {
    const before = await inventory(guidance())
    expect(await deliver(odd)).toMatchObject({ status, body: { code, status } })
    expect(await inventory(guidance())).toEqual(before)
  })

  it('with a version of very many digits is refused', async () => {
    const file = xccdfDocument({ id: 'Digits_STIG', version: null })
    const digits = Array.from({ length: 4500 }, (_none, index) => (index * 7919) % 10).join('')
    expect(await send(admin, file, { fields: { version: `V${digits.replaceAll('0', '1')}R1` } })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ field: 'version' }] },
    })
  })

  const taken: readonly (readonly [string, EncodedForm])[] = [
    ['with values that nobody asked for', encodeParts([fieldPart('x', 'y'), GOOD])],
    ['with the values after the file', encodeParts([GOOD, fieldPart('replace', 'false')])],
    ['with a value twice', encodeParts([fieldPart('replace', 'x'), fieldPart('replace', 'true'), GOOD])],
    ['with odd names', encodeParts([fieldPart('__proto__', 'a'), fieldPart('', 'b'), GOOD])],
    [
      'with something before and after',
      { ...form, body: Buffer.concat([Buffer.from('Tea\r\n'), form.body, Buffer.from('more')]) },
    ],
    [
      'with a charset',
      { ...form, headers: { 'Content-Type': `${form.headers['Content-Type'] ?? ''}; charset=utf-8` } },
    ],
    ['with a type of the file', bytes(`--a\r\n${DISPOSITION}\r\nContent-Type: image/png\r\n\r\n${FILE}\r\n--a--`)],
  ]

  it.each(taken)('with %s is accepted', async (_what, odd) => {
    const { status, body } = await deliver(odd)
    expect([status, body]).toEqual([200, body])
    expect((await inventory(guidance())).files).toEqual([])
  })

  it('with very many values is refused or truncated and ends', async () => {
    const many = Array.from({ length: 2000 }, (_none, index) => fieldPart(`f${index}`, 'x'))
    expect((await deliver(encodeParts([...many, GOOD]))).status).toBeLessThan(500)
  })
})

describe('The name of a file', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\tea.xml', 'tea.xml'],
    ['Teekännchen 😀.xml', 'Teekännchen 😀.xml'],
    ['', ''],
    ['a\0b.xml', matching(/^[^\0]+$/)],
    ['x'.repeat(3000), matching(/^x+$/)],
  ])('%j is used for display only', async (fileName, shown) => {
    const answer = await send(admin, FILE, { fileName })
    if (fileName === '') expect(answer.status).toBeLessThan(500)
    else expect(answer).toMatchObject({ status: 200, body: { file_name: shown } })
  })
})

describe('A form with arbitrary values', () => {
  it('never causes a server error and leaves no file', async () => {
    await fc.assert(
      fc.asyncProperty(formOddity, formOddity, async (first, second) => {
        const odd = withFormOddity(withFormOddity({ file: FILE, fileName: 'a.xml', fields: {} }, first), second)
        expect((await admin.call('POST', '/srgs', { form: odd })).status).toBeLessThan(500)
      }),
      { numRuns: 30 },
    )
    expect((await inventory(guidance())).files).toEqual([])
  })

  it('never causes a server error if its bytes are damaged', async () => {
    const damage = fc.record({ at: fc.nat(form.body.length - 1), byte: fc.nat(255) })
    const parts = fc.record({
      damages: fc.array(damage, { minLength: 1, maxLength: 4 }),
      cut: fc.option(fc.nat(form.body.length)),
    })
    await fc.assert(
      fc.asyncProperty(parts, async ({ damages, cut }) => {
        const body = Buffer.from(form.body.subarray(0, cut ?? form.body.length))
        for (const { at, byte } of damages) if (at < body.length) body[at] = byte
        expect((await deliver({ ...form, body })).status).toBeLessThan(500)
      }),
      { numRuns: 30 },
    )
    expect((await inventory(guidance())).files).toEqual([])
  })
})

describe('An aborted upload', () => {
  it('leaves no file', async () => {
    const { cookie, csrfToken } = admin
    const head = [
      'POST /stigs HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Cookie: ${cookie}`,
      `X-CSRF-Token: ${csrfToken}`,
      `Content-Type: ${form.headers['Content-Type'] ?? ''}`,
      `Content-Length: ${form.body.length * 2}`,
    ].join('\r\n')
    const before = await inventory(guidance())
    const { hostname, port } = new URL(guidance().service.baseUrl)
    const socket = connect(Number(port), hostname)
    socket.write(`${head}\r\n\r\n`)
    socket.write(form.body.subarray(0, 1000))
    await sleep(200)
    socket.destroy()
    await sleep(200)
    expect(await inventory(guidance())).toEqual(before)
  })
})
