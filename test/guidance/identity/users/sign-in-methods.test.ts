import { describe, expect, it } from 'vitest'
import { isOnlySignInMethod, signInMethodsOf } from '../../../../src/guidance/identity/users/sign-in-methods.ts'

const BOTH = [
  { id: 1, provider: 'oidc' },
  { id: 2, provider: 'ldap' },
] as const

describe('An identity', () => {
  it.each([
    // A password counts where passwords work, another identity where its provider is set up.
    [{ localLogin: true, providers: ['oidc'], hasPassword: true, ids: [1] }, false],
    [{ localLogin: true, providers: ['oidc'], hasPassword: false, ids: [1] }, true],
    [{ localLogin: false, providers: ['oidc'], hasPassword: true, ids: [1] }, true],
    [{ localLogin: false, providers: ['oidc'], hasPassword: true, ids: [1, 2] }, true],
    [{ localLogin: false, providers: ['oidc', 'ldap'], hasPassword: false, ids: [1, 2] }, false],
    [{ localLogin: true, providers: [], hasPassword: false, ids: [1, 2] }, true],
  ] as const)('with %o is the only way to sign in: %s', ({ localLogin, providers, hasPassword, ids }, expected) => {
    const set = (name: 'oidc' | 'ldap') => (providers.some((provider) => provider === name) ? {} : null)
    const settings = { localLogin, oidc: null, ldap: null }
    const methods = signInMethodsOf({ settings, oidc: set('oidc'), ldap: set('ldap') })
    const identities = BOTH.filter(({ id }) => ids.some((listedId) => listedId === id))
    expect(isOnlySignInMethod(methods, { hasPassword, identities }, 1)).toBe(expected)
  })
})

describe('The ways to sign in', () => {
  it('are the providers that are set up, and have the titles of the settings', () => {
    const settings = { localLogin: true, oidc: { title: 'Company' }, ldap: { title: 'Directory' } }
    const { providers, titles } = signInMethodsOf({ settings, oidc: {}, ldap: null })
    expect([...providers]).toEqual(['oidc'])
    expect([...titles]).toEqual([
      ['oidc', 'Company'],
      ['ldap', 'Directory'],
    ])
  })

  it('have no titles without settings of providers', () => {
    const settings = { localLogin: false, oidc: null, ldap: null }
    expect(signInMethodsOf({ settings, oidc: null, ldap: null })).toEqual({
      localLogin: false,
      providers: new Set(),
      titles: new Map(),
    })
  })
})
