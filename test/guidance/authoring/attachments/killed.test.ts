// @module-tag long

import { createHash, randomBytes, randomInt } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent } from '../../../support/authoring.ts'
import { encodeForm } from '../../../support/form.ts'
import { freshDatabase, type FreshDatabase } from '../../../support/fresh-database.ts'
import { PASSWORD, startGuidance } from '../../../support/guidance.ts'
import { runs } from '../../../support/runs.ts'
import { prepareService, type ServiceProcess } from '../../../support/service-process.ts'

const ROUNDS = Math.min(runs(2), 10)
const AT_ONCE = 3

/** From one row of the database to twenty. */
const SIZES = [20, 262_144, 262_145, 4_900_000]

interface KilledService {
  readonly fresh: FreshDatabase
  readonly env: Readonly<Record<string, string>>
  readonly token: string
  readonly rules: readonly number[]
  /** Digests of the attachments that were acknowledged, by their id. */
  readonly acknowledged: Map<number, string>
}

const added = z.looseObject({ attachment: z.looseObject({ id: z.int() }) })
const written = z.object({ token: z.string() })

/** A component with rules, and somebody who may attach files to them. */
async function newService(): Promise<KilledService> {
  const fresh = await freshDatabase()
  const server = fresh.url === null ? {} : { SERVICE_DATABASE_URL: fresh.url }
  const guidance = await startGuidance(fresh.dataDir, server)
  try {
    const ann = await guidance.signUp('Ann')
    const { rules } = await makeComponent(guidance, ann, { projectId: await guidance.project(ann), rules: 6 })
    const { body } = await ann.call('POST', '/personal_access_tokens', {
      body: {
        personal_access_token: {
          name: 'Uploads',
          scopes: ['read', 'write'],
          expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
          current_password: PASSWORD,
        },
      },
    })
    const env = { SERVICE_DATA_DIR: fresh.dataDir, SERVICE_RATE_LIMIT_ENABLED: 'false', ...server }
    return { fresh, env, token: written.parse(body).token, rules, acknowledged: new Map() }
  } finally {
    await guidance.service.close()
  }
}

function newFile(): Buffer {
  const size = SIZES[randomInt(SIZES.length)] ?? 0
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(size)])
}

/** Sends a file, or only its first bytes; notes it if it is acknowledged. False: the service died before it answered. */
function upload(
  { token, rules, acknowledged }: KilledService,
  port: number,
  { content = newFile(), onlyHalf = false } = {},
): Promise<boolean> {
  const form = encodeForm({ file: content, fileName: 'evidence.png' })
  const headers = { ...form.headers, 'Content-Length': form.body.length, Authorization: `Token ${token}` }
  const path = `/rules/${rules[randomInt(rules.length)] ?? 0}/attachments`
  return new Promise((resolve) => {
    const outgoing = request({ port, method: 'POST', path, headers, timeout: 20_000 }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', () => {
        resolve(false)
      })
      incoming.on('end', () => {
        const answer = Buffer.concat(chunks).toString('utf8')
        expect([incoming.statusCode, answer]).toMatchObject([201, expect.any(String)])
        const { attachment } = added.parse(JSON.parse(answer))
        acknowledged.set(attachment.id, createHash('sha256').update(content).digest('hex'))
        resolve(true)
      })
    })
    outgoing.on('error', () => {
      resolve(false)
    })
    if (onlyHalf) outgoing.write(form.body.subarray(0, form.body.length / 2))
    else outgoing.end(form.body)
  })
}

async function open(service: ServiceProcess): Promise<number> {
  await service.loaded()
  await service.open()
  return service.listening()
}

/** The digest of an attachment as it is downloaded. */
async function digestOf({ token }: KilledService, port: number, id: number): Promise<string> {
  const headers = { Authorization: `Token ${token}` }
  const answer = await fetch(`http://127.0.0.1:${port}/attachments/${id}`, { headers })
  expect(answer.status).toBe(200)
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
}

/** Queries for files that were only partly written. Each must find nothing. */
const HALVES = [
  `select id from attachments where bytes <> coalesce(
    (select sum(length(content)) from attachment_parts where attachment_id = attachments.id), 0)`,
  'select attachment_id from attachment_parts where attachment_id not in (select id from attachments)',
]

async function check(killed: KilledService, port: number): Promise<void> {
  for (const [id, digest] of killed.acknowledged) expect(await digestOf(killed, port, id)).toBe(digest)
  for (const half of HALVES) expect([half, await killed.fresh.run(half)]).toEqual([half, []])
  const rows = await killed.fresh.run("select count(*) as n from audits where changes like '%attachments%'")
  const files = await killed.fresh.run('select count(*) as n from attachments')
  expect(rows.map(({ n }) => Number(n))).toEqual(files.map(({ n }) => Number(n)))
  expect(await readdir(join(killed.fresh.dataDir, 'uploads'))).toEqual([])
}

it('A service that is killed keeps each acknowledged attachment, and no part of another', async () => {
  const killed = await newService()
  let service = prepareService(killed.env)
  const restart = async (): Promise<number> => {
    service = prepareService(killed.env)
    const port = await open(service)
    await check(killed, port)
    return port
  }
  let port = await open(service)
  const unfinished = upload(killed, port, { content: Buffer.alloc(4_000_000, 'x'), onlyHalf: true })
  const uploads = join(killed.fresh.dataDir, 'uploads')
  await expect.poll(async () => (await readdir(uploads)).length, { timeout: 10_000 }).toBe(1)
  await service.kill()
  expect(await unfinished).toBe(false)
  expect(await readdir(uploads)).toHaveLength(1)

  port = await restart()
  expect(await upload(killed, port)).toBe(true)
  await service.kill()

  for (let round = 0; round < ROUNDS; round += 1) {
    port = await restart()
    const sent = Array.from({ length: AT_ONCE }, () => upload(killed, port))
    await sleep(randomInt(250))
    await service.kill()
    await Promise.all(sent)
  }
  await restart()
  expect(killed.acknowledged.size).toBeGreaterThan(0)
}, 120_000)
