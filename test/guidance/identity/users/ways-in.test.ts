import { describe, expect, it } from 'vitest'
import { isOnlyWayIn, waysInOf } from '../../../../src/guidance/identity/users/ways-in.ts'

const BOTH = [
  { id: 1, provider: 'oidc' },
  { id: 2, provider: 'ldap' },
] as const

describe('An identity', () => {
  it.each([
    // A password counts where passwords work, another identity where its provider is set up.
    [true, ['oidc'], true, [1], false],
    [true, ['oidc'], false, [1], true],
    [false, ['oidc'], true, [1], true],
    [false, ['oidc'], true, [1, 2], true],
    [false, ['oidc', 'ldap'], false, [1, 2], false],
    [true, [], false, [1, 2], true],
  ] as const)(
    'with passwords %s, providers %s, own password %s, among %s: the only way in is %s',
    (localLogin, providers, hasPassword, ids, expected) => {
      const set = (name: 'oidc' | 'ldap') =>
        providers.some((provider) => provider === name) ? {} : null
      const ways = waysInOf({ settings: { localLogin }, oidc: set('oidc'), ldap: set('ldap') })
      const identities = BOTH.filter(({ id }) => ids.some((one) => one === id))
      expect(isOnlyWayIn(ways, { hasPassword, identities }, 1)).toBe(expected)
    },
  )
})
