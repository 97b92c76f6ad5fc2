import { beforeAll, describe, expect, it } from 'vitest'
import { digestToken } from '../../../../src/guidance/identity/tokens/format.ts'
import { requestToken, addRow } from '../../../support/guidance-records.ts'
import { clientOf, guidanceService, signedIn } from '../../../support/guidance.ts'

const RAW = `svc_${'a'.repeat(36)}`
const Authorization = `Token ${RAW}`

const guidance = guidanceService({ SERVICE_API_TOKENS_ENABLED: 'false' })
const root = signedIn(guidance, 'Root', { admin: true })

beforeAll(async () => {
  await addRow(guidance(), 'personal_access_tokens', {
    user_id: root.id,
    name: 'From before',
    digest: digestToken(RAW, guidance().service.guidance.keys.token),
    token_prefix: RAW.slice(0, 8),
    scopes: '["admin"]',
    allowed_ips: '[]',
    expires_at: '2999-01-01',
    last_used_at: null,
    revoked_at: null,
    created_at: new Date().toISOString(),
  })
})

describe('Disabled tokens', () => {
  it.each([
    ['GET', '/personal_access_tokens', undefined],
    ['POST', '/personal_access_tokens', {}],
    ['DELETE', '/personal_access_tokens/1', undefined],
    ['DELETE', '/personal_access_tokens/1/admin_revoke', { audit_comment: 'x' }],
  ])('return 404 for %s %s', async (method, path, body) => {
    const sent = body === undefined ? {} : { body }
    const beside = await root.call(method, path, { ...sent, headers: { Authorization } })
    for (const answer of [await root.call(method, path, sent), beside]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ code: 'not_found', error: 'Personal access tokens are switched off here.' })
    }
    const plain = await guidance().signUp(`P${method}${path}`)
    expect((await plain.call(method, path, sent)).status).toBe(404)
    const anonymous = await guidance().nobody.call(method, path, sent)
    expect(anonymous).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
  })

  it('are refused before the password is checked', async () => {
    expect((await requestToken(root, { current_password: 'wrong' })).status).toBe(404)
  })

  it('make the service ignore the header and use the session', async () => {
    const headers = { Authorization }
    const me = await root.call('GET', '/api/auth/me', { headers })
    expect(me.body).toMatchObject({ id: root.id })
    expect(me.headers['x-csrf-token']).toBe(root.csrfToken)
    const body = { project: { name: 'By session' } }
    expect((await root.call('POST', '/projects', { body, headers })).status).toBe(200)
    const bare = clientOf(guidance().service, { Cookie: root.cookie, Authorization })
    const refused = await bare.call('POST', '/projects', { body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'invalid_csrf_token' } })
  })

  it('make a request with only a token anonymous', async () => {
    const answer = await guidance().nobody.call('GET', '/api/auth/me', { headers: { Authorization } })
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
  })
})
