import dns, { type LookupAddress } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { deliveryPage, webhookSchema } from '../../../../src/guidance/activity/webhooks/schemas.ts'
import { openSecret, sealSecret } from '../../../../src/guidance/activity/webhooks/secret.ts'
import { isPublic, lookUpPublic } from '../../../../src/platform/network/addresses.ts'
import { dumpDatabase, entriesOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'
import { startReceiver } from './receiver.ts'

const guidance = guidanceService()
const URL = 'https://hooks.example.org/in?key=in-the-address'

const owner = signedIn(guidance, 'Owner')
let projectId: number

beforeAll(async () => {
  projectId = await guidance().project(owner, { name: 'P' })
})

function create(webhook: unknown, id = projectId): Promise<Answer> {
  return owner.call('POST', `/projects/${id}/webhooks`, { body: { webhook } })
}

const created = z.strictObject({ toast: z.unknown(), webhook: z.strictObject(webhookSchema.shape), secret: z.string() })

describe('A webhook', () => {
  it('is created with a secret that is shown once', async () => {
    const id = await guidance().project(owner, { name: 'Fresh' })
    const entries = await entriesOf(guidance(), async () => {
      const { body } = await create({ url: URL }, id)
      const { webhook, secret } = created.parse(body)
      expect(webhook).toMatchObject({ project_id: id, url: URL, kinds: [], active: true })
      expect(secret).toMatch(/^[\w-]{43}$/)
      const shown = await owner.call('GET', `/webhooks/${webhook.id}`)
      expect(shown.body).toEqual(webhook)
      const listed = await owner.call('GET', `/projects/${id}/webhooks`)
      expect(listed.body).toEqual({ webhooks: [webhook] })
      const dump = await dumpDatabase(guidance())
      expect(dump).not.toContain(secret)
    })
    expect(entries).toMatchObject([{ action: 'create', auditable_type: 'Webhook', audited_name: 'hooks.example.org' }])
    expect(JSON.stringify(entries)).not.toContain('in-the-address')
  })

  it('accepts a secret, and can be changed and removed', async () => {
    const given = 'a secret of somebody'
    const { body } = await create({ url: URL, secret: given, kinds: ['rule.locked'] })
    const { webhook, secret } = created.parse(body)
    expect([secret, webhook.kinds]).toEqual([given, ['rule.locked']])
    const path = `/webhooks/${webhook.id}`
    const entries = await entriesOf(guidance(), async () => {
      for (const method of ['PUT', 'PATCH']) {
        const changes = { kinds: ['rule.updated', 'rule.updated'], active: method === 'PUT' }
        const changed = await owner.call(method, path, {
          body: { webhook: { ...changes, secret: `${given} ${method}`, url: `${URL}-${method}` } },
        })
        expect(changed.body).toMatchObject({
          webhook: { url: `${URL}-${method}`, kinds: ['rule.updated'], active: method === 'PUT' },
        })
        expect(JSON.stringify(changed.body)).not.toContain(given)
      }
      expect((await owner.call('DELETE', path)).status).toBe(200)
    })
    expect(entries.map(({ action }) => action)).toEqual(['update', 'update', 'destroy'])
    expect(JSON.stringify(entries)).not.toContain(given)
    expect(JSON.stringify(entries)).not.toContain('in-the-address')
    expect((await owner.call('GET', path)).status).toBe(404)
  })

  it.each([
    [{}, 'url'],
    [{ url: 'hooks.example.org' }, 'url'],
    [{ url: 'http://hooks.example.org' }, 'url'],
    [{ url: 'ftp://hooks.example.org' }, 'url'],
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ url: 'https://me:secret@hooks.example.org' }, 'url'],
    [{ url: 'https://127.0.0.1' }, 'url'],
    [{ url: 'https://2130706433' }, 'url'],
    [{ url: 'https://0x7f.1' }, 'url'],
    [{ url: 'https://[::1]' }, 'url'],
    [{ url: 'https://[::ffff:10.0.0.1]' }, 'url'],
    [{ url: 'https://169.254.169.254/latest' }, 'url'],
    [{ url: 'https://hooks.example.org:22' }, 'url'],
    [{ url: 'https://hooks.example.org:6667/in' }, 'url'],
    [{ url: `https://hooks.example.org/${'x'.repeat(2048)}` }, 'url'],
    [{ url: URL, secret: 'too short' }, 'secret'],
    [{ url: URL, secret: 'x'.repeat(201) }, 'secret'],
    [{ url: URL, kinds: ['rule.eaten'] }, 'kinds.0'],
    [{ url: URL, kinds: Array.from({ length: 17 }, () => 'rule.updated') }, 'kinds'],
    [{ url: URL, active: 'yes' }, 'active'],
  ])('is refused as %j', async (webhook, field) => {
    const { status, body } = await create(webhook)
    expect([status, body]).toMatchObject([422, { errors: [{ field }] }])
  })

  it('is one of at most ten, also if many are created at once', async () => {
    const id = await guidance().project(owner, { name: 'Crowded' })
    const answers = await Promise.all(Array.from({ length: 13 }, () => create({ url: URL }, id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(3)
  })

  it('has pages of deliveries', async () => {
    const { webhook } = created.parse((await create({ url: URL, active: false })).body)
    const path = `/webhooks/${webhook.id}/deliveries`
    expect((await owner.call('GET', path)).body).toEqual({ rows: [], pagination: { page: 1, per_page: 25, total: 0 } })
    expect((await owner.call('GET', `${path}?page=2`)).status).toBe(400)
  })

  it('is not found if it does not exist', async () => {
    for (const path of ['/webhooks/0', '/webhooks/x', '/webhooks/2000000000'])
      expect((await owner.call('GET', path)).status).toBe(404)
    expect((await owner.call('POST', '/webhook_deliveries/2000000000/redeliver')).status).toBe(404)
  })
})

describe('A host name with a private address', () => {
  it('is not connected to, and answers like an unknown name', async () => {
    const receiver = await startReceiver()
    const { port } = new globalThis.URL(receiver.url)
    for (const host of [`localhost:${port}`, 'nobody-has-this-name.invalid']) {
      const { body } = await create({ url: `https://${host}/` })
      const { id } = created.parse(body).webhook
      await owner.call('POST', `/webhooks/${id}/ping`)
      await vi.waitFor(
        async () => {
          const log = await owner.call('GET', `/webhooks/${id}/deliveries`)
          const error = 'The receiver cannot be reached at a public address'
          const rows = [{ error, response_status: null }]
          expect(deliveryPage.parse(log.body).rows).toMatchObject(rows)
        },
        { timeout: 8000, interval: 20 },
      )
    }
    expect(receiver.received).toEqual([])
  })

  it('is not connected to at its other addresses either', async () => {
    const addresses: LookupAddress[] = [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const found = vi.spyOn(dns, 'lookup')
    onTestFinished(() => {
      found.mockRestore()
      syncBuiltinESMExports()
    })
    const lookUp = (among: readonly LookupAddress[]): Promise<unknown> => {
      found.mockImplementation((...given: unknown[]) => {
        const answer = given.at(-1)
        if (typeof answer === 'function') Reflect.apply(answer, null, [null, among])
      })
      syncBuiltinESMExports()
      return promisify(lookUpPublic)('hooks.example.org', { all: true })
    }
    expect(await lookUp(addresses.slice(0, 1))).toEqual(addresses.slice(0, 1))
    await expect(lookUp(addresses)).rejects.toThrow('not public')
    await expect(lookUp(addresses.toReversed())).rejects.toThrow('not public')
    await expect(lookUp([])).rejects.toThrow('not public')
  })
})

describe('An address', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '192.0.1.1',
    '198.51.101.1',
    '2001:200::1',
    '3ffe::1',
  ])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001::1',
    '192.0.2.1',
    '198.51.100.255',
    '203.0.113.1',
    '192.88.99.1',
    '192.0.0.8',
    '198.19.255.255',
    '2001:db8::1',
    '3fff::1',
    '3fff:fff::1',
    '2001:2::1',
    '2001:1ff::1',
    '5f00::1',
    '100::1',
    '64:ff9b:1::1',
    '::808:808',
    'fe80::1%1',
    '::ffff:0:808:808',
    'example.org',
    '',
  ])('%s is not public', (address) => {
    expect(isPublic(address)).toBe(false)
  })
})

describe('A sealed secret', () => {
  const key = Buffer.alloc(32, 1)

  it('opens with its key and for its project alone', () => {
    const sealed = sealSecret('geheim ✓', key, 1)
    expect(openSecret(sealed, key, 1)).toBe('geheim ✓')
    expect(sealSecret('geheim ✓', key, 1)).not.toBe(sealed)
    expect(() => openSecret(sealed, Buffer.alloc(32, 2), 1)).toThrow()
    expect(() => openSecret(sealed, key, 2)).toThrow()
    expect(() => openSecret(`A${sealed.slice(1)}`, key, 1)).toThrow()
    expect(() => openSecret('', key, 1)).toThrow()
  })
})
