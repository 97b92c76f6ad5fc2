import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { encodeForm } from '../support/form.ts'
import type { Sent } from '../support/sent.ts'
import { xccdfDocument } from '../support/xccdf-document.ts'
import { send, type Answer } from './client.ts'
import type { Ledger } from './ledger.ts'
import type { SoakRecord } from './record.ts'
import { EMAIL, PASSWORD } from './service.ts'

const withId = z.object({ id: z.int() })
const imported = z.object({ imported: z.array(withId) })

export interface LoadOptions {
  readonly port: number
  readonly ledger: Ledger
  readonly record: SoakRecord
  readonly signal: AbortSignal
}

type Headers = Readonly<Record<string, string>>

/** A session; asks again where the service is away. */
export async function signIn(port: number, signal?: AbortSignal): Promise<Headers> {
  while (signal?.aborted !== true) {
    const answer = await send(port, '/api/auth/login', { method: 'POST', json: { email: EMAIL, password: PASSWORD } })
    if (answer.status === 200) return { Cookie: answer.cookies.join('; '), 'X-CSRF-Token': answer.csrfToken }
    await sleep(200)
  }
  return {}
}

/** People who read, write, upload, give up in the middle and are slow, all at the same time. Ends with the signal. */
export async function load(options: LoadOptions): Promise<void> {
  const session = await signIn(options.port, options.signal)
  const ask = async (kind: string, path: string, sent: Sent = {}): Promise<Answer> => {
    const begun = performance.now()
    const answer = await send(options.port, path, { ...sent, headers: { ...session, ...sent.headers } })
    options.record.answered(kind, answer.status, performance.now() - begun)
    // Waits when the service is away, so that it is not asked a thousand times a second.
    if (answer.status === 0 || answer.status >= 500) await sleep(100)
    return answer
  }
  const people = [
    () => readOntology(ask),
    () => search(ask),
    () => write(ask, options.ledger),
    () => write(ask, options.ledger),
    () => upload(ask, options.ledger),
    () => giveUp(options.port, session),
  ]
  const forever = async (once: () => Promise<void>): Promise<void> => {
    while (!options.signal.aborted) await once()
  }
  await Promise.all(people.map(forever))
}

type Ask = (kind: string, path: string, sent?: Sent) => Promise<Answer>

async function readOntology(ask: Ask): Promise<void> {
  await ask('ontology', '/api/matrix.json')
  await sleep(5)
}

async function search(ask: Ask): Promise<void> {
  const word = ['password', 'audit', 'encrypt', 'session'][Math.floor(Math.random() * 4)]
  await ask('search', `/api/search/unified?q=${word}`)
  await sleep(50)
}

async function write(ask: Ask, ledger: Ledger): Promise<void> {
  const name = `Project ${randomBytes(6).toString('hex')}`
  const added = await ask('write', '/projects', { method: 'POST', json: { project: { name } } })
  if (added.status !== 200) return
  const { id } = withId.parse(JSON.parse(added.body))
  ledger.note({ kind: 'project', id, name })
  const description = randomBytes(6).toString('hex')
  const changed = await ask('write', `/projects/${id}`, { method: 'PATCH', json: { project: { description } } })
  if (changed.status === 200) ledger.note({ kind: 'change', id, description })
  await sleep(20)
}

async function upload(ask: Ask, ledger: Ledger): Promise<void> {
  const word = `soaked${randomBytes(5).toString('hex')}`
  const title = `${word} Security Technical Implementation Guide`
  const file = xccdfDocument({ id: `${word}_STIG`, title, description: `About ${word}.`, rules: 5 })
  const { headers, body } = encodeForm({ file, fields: { document_type: 'stig' } })
  const answer = await ask('import', '/stigs', { method: 'POST', headers, body })
  const [benchmark] = answer.status === 200 ? imported.parse(JSON.parse(answer.body)).imported : []
  if (benchmark !== undefined) ledger.note({ kind: 'import', id: benchmark.id, word })
  await sleep(200)
}

/** Half an upload whose connection ends, and a client that sends its request byte by byte. */
async function giveUp(port: number, session: Headers): Promise<void> {
  const head = Object.entries(session).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST /stigs HTTP/1.1\r\nHost: localhost\r\n${head.join('')}` +
      'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\n',
  )
  await sleep(100)
  socket.destroy()
  const slow = connect(port, '127.0.0.1')
  slow.on('error', () => undefined)
  for (const byte of 'GET /api/matrix.json') {
    slow.write(byte)
    await sleep(10)
  }
  slow.destroy()
  await sleep(200)
}
