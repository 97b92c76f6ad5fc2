import { readdir } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { Importer } from '../../../src/guidance/catalogue/imports/importer.ts'
import { createLimits } from '../../../src/guidance/parts/limits.ts'
import { createLimit } from '../../../src/http/server/limit.ts'
import { logIn, sending, WRONG_PASSWORD } from '../../support/accounts.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { rowsOf } from '../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type Answer, type Client } from '../../support/guidance.ts'
import { containing } from '../../support/matchers.ts'
import { refusalOf } from '../../support/refusal.ts'
import { ReviewTeam, type Member } from '../../support/review-team.ts'

const ON = { SERVICE_RATE_LIMIT_ENABLED: 'true', SERVICE_LOCKOUT_ENABLED: 'false' }
/** Each client of these tests has an address of its own. */
const PROXIED = { ...ON, SERVICE_TRUSTED_PROXIES: '127.0.0.1' }

describe('Failed attempts to sign in', () => {
  const guidance = guidanceService(PROXIED)

  it('from one address are refused after five, across accounts', async () => {
    const ada = await guidance().person('Ada')
    const answers: Answer[] = []
    for (let attempt = 0; attempt < 7; attempt += 1)
      answers.push(await attemptFrom('192.0.2.1', `nobody-${attempt}@example.org`))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await attemptFrom('192.0.2.1', ada.email, PASSWORD)).status).toBe(429)
    expect((await attemptFrom('192.0.2.2', ada.email, PASSWORD)).status).toBe(200)
  })

  it('for one account are refused after five, across addresses', async () => {
    const ben = await guidance().person('Ben')
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await attemptFrom(`198.51.100.${attempt}`, ben.email)).status).toBe(401)
    for (const email of [ben.email, ' BEN@example.org'])
      expect((await attemptFrom('198.51.100.9', email, PASSWORD)).status).toBe(429)
  })

  it('are refused with the time to wait, in the header and for the user', async () => {
    const answers: Answer[] = []
    for (let attempt = 0; attempt < 6; attempt += 1)
      answers.push(await attemptFrom('192.0.2.3', `no-${attempt}@example.org`))
    const seconds = Number(answers[5]?.headers['retry-after'])
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(answers[5]).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        retry_after: seconds,
        toast: {
          title: 'Rate limited',
          message: `Too many requests. Please wait ${seconds} seconds and try again.`,
          variant: 'danger',
        },
      },
    })
  })

  it('do not include successful ones', async () => {
    const cleo = await guidance().person('Cleo')
    for (let attempt = 0; attempt < 8; attempt += 1)
      expect((await attemptFrom('192.0.2.4', cleo.email, PASSWORD)).status).toBe(200)
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await attemptFrom('192.0.2.4', cleo.email)).status).toBe(401)
    expect((await attemptFrom('192.0.2.4', cleo.email, PASSWORD)).status).toBe(429)
  })

  it('from one network of IPv6 count together', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1)
      await attemptFrom(`2001:db8:1:2:${attempt}::1`, `v6-${attempt}@example.org`)
    expect((await attemptFrom('2001:db8:1:2:ffff::2', 'v6@example.org')).status).toBe(429)
    expect((await attemptFrom('2001:db8:1:3::1', 'v6@example.org')).status).toBe(401)
  })

  it('are counted separately from attempts with links of e-mails', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.5' }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const body = { unlock_token: `guess ${attempt}` }
      statuses.push((await guidance().nobody.call('PUT', '/users/unlock', { body, headers })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect((await attemptFrom('192.0.2.5', 'somebody@example.org')).status).toBe(401)
  })

  it('count if a session requires the password again', async () => {
    const session = await guidance().signUp('Dora')
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const user = { email: 'other@example.org', current_password: `${WRONG_PASSWORD}${attempt}` }
      statuses.push((await session.call('PUT', '/users', { body: { user } })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })

  function attemptFrom(address: string, email: string, password = WRONG_PASSWORD) {
    return logIn(sending(guidance().nobody, { 'X-Forwarded-For': address }), email, password)
  }
})

describe('An address that a client makes up', () => {
  const guidance = guidanceService(ON)

  it('does not get around the limit where no proxy is trusted', async () => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const headers = { 'X-Forwarded-For': `192.0.2.${attempt}` }
      const email = `made-up-${attempt}@example.org`
      const client = sending(guidance().nobody, headers)
      statuses.push((await logIn(client, email, WRONG_PASSWORD)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })
})

describe('Requests with a token', () => {
  const guidance = guidanceService({ ...PROXIED, SERVICE_RATE_LIMIT_TOKEN_REQUESTS: '3' })

  it('are counted by address, whether the token is right or not', async () => {
    const ada = await guidance().person('Ada')
    const token = await guidance().token(ada, ['read'])
    const ask = async (address: string, headers: Readonly<Record<string, string>> = {}) =>
      (await token.call('GET', '/api/auth/me', { headers: { 'X-Forwarded-For': address, ...headers } })).status
    const wrong = { Authorization: 'Token svc_wrong' }
    expect([
      await ask('192.0.2.1'),
      await ask('192.0.2.1', wrong),
      await ask('192.0.2.1'),
      await ask('192.0.2.1'),
    ]).toEqual([200, 401, 200, 429])
    expect(await ask('192.0.2.1', wrong)).toBe(429)
    for (const spelt of ['192.0.2.1:4711', '::ffff:192.0.2.1', '[::FFFF:192.0.2.1]:80'])
      expect(await ask(spelt)).toBe(429)
    expect(await ask('192.0.2.2')).toBe(200)
    // All of these are the proxy itself.
    const unknown = ['unknown', '_hidden', 'junk:1', '192.0.2.3, '].map((text) => ask(text))
    expect((await Promise.all(unknown)).sort()).toEqual([200, 200, 200, 429])
  })

  it('do not include requests without one', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.3' }
    for (let request = 0; request < 10; request += 1)
      expect((await guidance().nobody.call('GET', '/api/auth/me', { headers })).status).toBe(401)
  })
})

describe('Files', () => {
  const guidance = guidanceService({ ...PROXIED, SERVICE_RATE_LIMIT_UPLOADS: '3' })

  it('are counted together for one address, across accounts and endpoints', async () => {
    const session = await guidance().signUp('Ada', { admin: true })
    const projectId = await guidance().project(session)
    const form = { file: 'nothing' }
    const send = async (path: string, address: string, client: Client = session) => {
      const { status, body } = await client.call('POST', path, { form, headers: { 'X-Forwarded-For': address } })
      expect([path, status, body]).toMatchObject([path, status, { code: containing('') }])
      return status
    }
    const inProject = `/projects/${projectId}`
    const author = await guidance().signUp('Bob')
    expect([
      await send('/srgs', '192.0.2.1', author),
      await send(`${inProject}/import_backup`, '192.0.2.1'),
      await send('/projects/create_from_backup', '192.0.2.1', guidance().nobody),
    ]).toEqual([403, 422, 401])
    for (const path of [`${inProject}/import_backup`, `${inProject}/components`])
      expect([path, await send(path, '192.0.2.1')]).toEqual([path, 429])
    expect(await send('/projects/create_from_backup', '192.0.2.1')).toBe(429)
    for (const path of ['/srgs', '/stigs'])
      expect([await send(path, '192.0.2.1', author), await send(path, '192.0.2.2', author)]).toEqual([429, 403])
    // Site administrators upload hundreds of files to the catalogue and are not limited.
    for (let file = 0; file < 5; file += 1)
      expect(await send(file % 2 === 0 ? '/srgs' : '/stigs', '192.0.2.1')).toBe(422)
    // A request without a file does not count as an upload.
    const headers = { 'X-Forwarded-For': '192.0.2.1' }
    const json = await session.call('POST', `${inProject}/components`, { body: {}, headers })
    expect(json.status).toBe(400)
  })

  it('are limited for the catalogue by the running uploads of an account', async () => {
    const dataDir = await temporaryFolder()
    const importer = new Importer({ ...guidance().service.guidance, dataDir })
    const leave = Array.from({ length: 20 }, () => importer.admit(1))
    const refused = { code: 'rate_limited', members: { retry_after: 5 } }
    expect(await refusalOf(() => importer.admit(1))).toMatchObject(refused)
    importer.admit(2)
    leave[0]?.()
    importer.admit(1)
    expect(await refusalOf(() => importer.admit(1))).toMatchObject(refused)
  })

  it('that are refused leave nothing behind', async () => {
    const { folder } = guidance().service.guidance.uploads
    expect(await readdir(folder)).toEqual([])
  })
})

describe('Comments of one person', () => {
  const guidance = guidanceService({
    ...ON,
    SERVICE_RATE_LIMIT_COMMENTS: '3',
    SERVICE_RATE_LIMIT_COMMENTS_PER_HOUR: '5',
    SERVICE_RATE_LIMIT_REACTIONS: '2',
    SERVICE_RATE_LIMIT_REACTION_READS: '4',
  })
  const team = new ReviewTeam(guidance)

  it('are limited on rules and components; other actions are not', async () => {
    const { id, rules } = await team.component()
    const [ruleId = 0] = rules
    const { viewer, other, admin } = team.people
    const say = async ({ client }: Member, path = `/rules/${ruleId}`, action = 'comment') =>
      client.call('POST', `${path}/reviews`, { body: { review: { action, comment: 'Why?' } } })
    const statuses: number[] = []
    for (const path of [undefined, `/components/${id}`, undefined, undefined, `/components/${id}`])
      statuses.push((await say(viewer, path)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect((await say(other)).status).toBe(200)
    const kept = await rowsOf(guidance(), 'reviews', { user_id: viewer.person.id })
    expect(kept).toHaveLength(3)
    for (let round = 0; round < 3; round += 1)
      for (const action of ['lock_control', 'unlock_control'])
        expect([action, (await say(admin, undefined, action)).status]).toEqual([action, 200])
    expect((await say(admin)).status).toBe(200)
  })

  it('are counted separately from reactions and requests for them', async () => {
    const { rules } = await team.component()
    const { author, viewer } = team.people
    const { id } = await team.comment(author, rules[0] ?? 0)
    const path = `/reviews/${id}/reactions`
    const statuses: number[] = []
    for (const kind of ['up', 'down', 'up'])
      statuses.push((await viewer.client.call('POST', path, { body: { kind } })).status)
    expect(statuses).toEqual([200, 200, 429])
    const reads: number[] = []
    for (let read = 0; read < 5; read += 1) reads.push((await viewer.client.call('GET', path)).status)
    expect(reads).toEqual([200, 200, 200, 200, 429])
    const { body } = await author.client.call('GET', path)
    expect(body).toEqual({ up: [], down: [{ name: 'Vera' }] })
  })
})

const FEW = {
  logins: 1,
  tokenRequests: 1,
  uploads: 1,
  comments: 2,
  commentsPerHour: 3,
  reactions: 1,
  reactionReads: 1,
  userSearches: 1,
}

describe('The limits', () => {
  it('also limit comments per hour, and return the longer waiting time', async () => {
    vi.useFakeTimers()
    try {
      const { comments } = createLimits(FEW)
      await comments.count('one')
      await comments.count('one')
      const soon = await refusalOf(() => comments.count('one'))
      expect(soon.members).toMatchObject({ retry_after: 60 })
      vi.advanceTimersByTime(60_000)
      await comments.count('one')
      const late = await refusalOf(() => comments.count('one'))
      expect(late.members).toMatchObject({ retry_after: 3540 })
      await comments.count('another')
      vi.advanceTimersByTime(3_540_000)
      await comments.count('one')
    } finally {
      vi.useRealTimers()
    }
  })

  it('remember a limited number of keys: those that were counted last', async () => {
    const few = createLimit(1, { seconds: 60, memory: 5000 })
    await few.count('first')
    for (let key = 0; key < 100; key += 1) {
      await few.count(`key ${key}`)
      expect((await refusalOf(() => few.count(`key ${key}`))).code).toBe('rate_limited')
    }
    await few.count('first')
    await few.count('x'.repeat(4000))
    await few.count('key 99')
  })

  it('do not apply when they are disabled', async () => {
    const { logins, tokenRequests } = createLimits(null)
    for (let request = 0; request < 1000; request += 1) {
      await logins.count('one')
      await tokenRequests.count('one')
    }
    await logins.forgive('one')
  })

  it('subtract forgiven attempts and no more', async () => {
    const { logins } = createLimits({ ...FEW, logins: 2 })
    for (let round = 0; round < 5; round += 1) {
      await logins.count('one')
      await logins.forgive('one')
    }
    await logins.count('one')
    await logins.count('one')
    const refusal = await refusalOf(() => logins.count('one'))
    expect(refusal.code).toBe('rate_limited')
    await logins.count('another')
  })

  it('report the first refusal of each key, once', async () => {
    const { logins } = createLimits({ ...FEW, logins: 2 })
    const refused: string[] = []
    for (let request = 0; request < 9; request += 1)
      for (const key of ['one', 'two'])
        await logins.count(key, () => void refused.push(`${key} ${request}`)).catch(() => null)
    expect(refused).toEqual(['one 2', 'two 2'])
  })

  it('are counted separately for each kind', async () => {
    const { logins, tokenRequests } = createLimits(FEW)
    await logins.count('one')
    await tokenRequests.count('one')
    expect((await refusalOf(() => tokenRequests.count('one'))).code).toBe('rate_limited')
  })
})
