import { describe, expect, it } from 'vitest'
import { guidanceService } from '../support/guidance.ts'

describe('The guidance service', () => {
  const guidance = guidanceService()

  it('signs somebody in, and lets a token of theirs read', async () => {
    const { person, signIn, token } = guidance()
    const ada = await person('Ada')
    const session = await signIn('ADA@example.org')
    const me = { id: ada.id, name: 'Ada', email: 'ada@example.org', admin: false, provider: null }
    expect((await session.call('GET', '/api/auth/me')).body).toEqual(me)
    const reading = await token(ada, ['read'])
    expect((await reading.call('GET', '/api/auth/me')).body).toEqual(me)
  })
})
