import { beforeAll, describe, expect, it } from 'vitest'
import { entriesOf } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, signedIn } from '../../../support/guidance.ts'

const OTHER = 'Other-Horse-42-!Staple'

const guidance = guidanceService()
const root = signedIn(guidance, 'Root', { admin: true })

beforeAll(async () => {
  await guidance().person('Somebody1')
})

describe('A refused request', () => {
  const REFUSED: readonly (readonly [string, string, unknown])[] = [
    ['POST', '/users/admin_create', { user: { name: 'X', email: 'root@example.org', password: PASSWORD } }],
    ['POST', '/users/admin_create', { user: { name: '', email: 'x@example.org' } }],
    ['PUT', '/users/ROOT', { user: { admin: false } }],
    ['DELETE', '/users/ROOT', undefined],
    ['POST', '/users/ROOT/lock', undefined],
    ['POST', '/users/ROOT/set_password', { user: { password: 'short' } }],
    ['POST', '/users/ROOT/send_password_reset', undefined],
    ['DELETE', '/users', { user: { current_password: 'wrong' } }],
    ['PUT', '/users', { user: { password: OTHER, current_password: 'wrong' } }],
    ['PUT', '/users', { user: { name: 'Changed', email: 'somebody1@example.org', current_password: PASSWORD } }],
    ['POST', '/personal_access_tokens', { personal_access_token: { name: 'x' } }],
    ['DELETE', '/personal_access_tokens/999999', undefined],
    ['POST', '/projects', { project: { name: '' } }],
    ['POST', '/memberships', { membership: { membership_type: 'Project', membership_id: 999_999 } }],
    ['DELETE', '/projects/999999', undefined],
  ]

  it.each(REFUSED)('leaves no audit entry: %s %s', async (method, path, body) => {
    const entries = await entriesOf(guidance(), async () => {
      const sent = body === undefined ? {} : { body }
      const { status } = await root.call(method, path.replace('ROOT', String(root.id)), sent)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      await guidance().signIn(root.email)
    })
    expect(entries).toEqual([])
    expect((await root.call('GET', '/api/auth/me')).body).toMatchObject({ name: 'Root' })
  })
})
