// @module-tag node
// @module-tag long

import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { signInWithLdap, type LdapOptions } from '../../../../src/guidance/identity/identity-providers/ldap.ts'
import { builtModule } from '../../../support/build.ts'
import { canMakeCertificates, runTrusting } from '../../../support/certificate.ts'
import { LDAP_PASSWORD, slapdPath, startLdapServer, type LdapServer } from '../../../support/ldap-server.ts'
import { refusalOf } from '../../../support/refusal.ts'

const isInstalled = slapdPath() !== null

let server: LdapServer
let open: LdapServer

describe.skipIf(!isInstalled)('A sign-in at a directory', () => {
  beforeAll(async () => {
    server = await startLdapServer()
    open = await startLdapServer({ anonymousSearch: true })
  })

  afterAll(async () => {
    await server.close()
    await open.close()
  })

  it('returns the person with the first e-mail address', async () => {
    expect(await signInWithLdap(directory(), 'ann', LDAP_PASSWORD)).toEqual({
      provider: 'ldap',
      uid: 'uid=ann,ou=people,dc=example,dc=org',
      email: 'ann@example.org',
      emailVerified: true,
      name: 'ann of Example',
    })
  })

  it('uses the spelling of the name in the directory and finds one person by it', async () => {
    const found = await signInWithLdap(directory(), 'ANN', LDAP_PASSWORD)
    expect(found?.uid).toBe('uid=ann,ou=people,dc=example,dc=org')
  })

  it.each([
    ['jörg', 'joerg@example.org'],
    ['o(d)*d\\2a', 'odd@example.org'],
  ])('accepts the name %s', async (name, email) => {
    expect(await signInWithLdap(directory(), name, LDAP_PASSWORD)).toMatchObject({ email })
  })

  it.each(['wrong', `${LDAP_PASSWORD} `, LDAP_PASSWORD.toUpperCase(), '*'])(
    'finds nobody when the password is %j',
    async (password) => {
      expect(await signInWithLdap(directory(), 'ann', password)).toBeNull()
    },
  )

  it('sends long names and passwords to the directory', async () => {
    const { url, seen } = await startProxy()
    for (const character of ['a', '*', '\\', 'ü']) {
      const long = character.repeat(10_000)
      expect(await signInWithLdap(directory({ url }), long, LDAP_PASSWORD)).toBeNull()
      expect(await signInWithLdap(directory({ url }), 'ann', long)).toBeNull()
    }
    expect(seen.connections).toBe(8)
  })

  it('finds nobody for an account without a password', async () => {
    expect(await signInWithLdap(directory(), 'locked', LDAP_PASSWORD)).toBeNull()
  })

  it('reports the entry before it checks the password, and stops if it is refused', async () => {
    const matches: string[] = []
    const onMatch = (dn: string): Promise<void> => {
      matches.push(dn)
      return Promise.reject(new Error('Too many'))
    }
    const options = { ...directory(), onMatch }
    await expect(signInWithLdap(options, 'ANN', LDAP_PASSWORD)).rejects.toThrow('Too many')
    expect(await signInWithLdap(options, 'nobody', LDAP_PASSWORD)).toBeNull()
    expect(matches).toEqual(['uid=Ann,ou=people,dc=example,dc=org'])
  })

  it.each([
    'nobody',
    ' ',
    '*',
    'an*',
    'a)(uid=*',
    'ann)(uid=ann',
    '*)(|(uid=*))',
    '\\2a',
    'o\\28d\\29\\2ad\\5c2a',
    'uid=ann,ou=people,dc=example,dc=org',
    '\ud800',
  ])('finds nobody by the name %j', async (name) => {
    expect(await signInWithLdap(directory(), name, LDAP_PASSWORD)).toBeNull()
  })

  it('fails if several entries have the name', async () => {
    expect(await signInWithLdap(directory(), 'twin', LDAP_PASSWORD)).toBeNull()
    const found = await signInWithLdap(directory({ baseDn: `ou=staff,${server.baseDn}` }), 'twin', LDAP_PASSWORD)
    expect(found?.email).toBe('other-twin@example.org')
  })

  it('is refused without e-mail address, but only with the right password', async () => {
    expect(await signInWithLdap(directory(), 'mailless', 'wrong')).toBeNull()
    const refusal = await refusalOf(() => signInWithLdap(directory(), 'mailless', LDAP_PASSWORD))
    expect(refusal.code).toBe('identity_provider_refused')
  })

  it.each([
    ['no password', 'ann', ''],
    ['no name', '', LDAP_PASSWORD],
    ['neither', '', ''],
    ['NUL after the name', 'ann\0', LDAP_PASSWORD],
    ['NUL after the password', 'ann', `${LDAP_PASSWORD}\0`],
    ['NUL for a password', 'ann', '\0'],
    ['an endless name', 'a'.repeat(1_000_000), LDAP_PASSWORD],
    ['an endless password', 'ann', 'a'.repeat(1_000_000)],
  ])('sends no request for %s', async (_, name, password) => {
    const { url, seen } = await startProxy()
    expect(await signInWithLdap(directory({ url }), name, password)).toBeNull()
    expect(seen.connections).toBe(0)
  })

  it.each(['right', 'wrong'])('disconnects after the %s password', async (kind) => {
    const { url, seen } = await startProxy()
    const password = kind === 'right' ? LDAP_PASSWORD : kind
    const found = await signInWithLdap(directory({ url }), 'ann', password)
    expect(found === null).toBe(kind === 'wrong')
    await expect.poll(() => seen.open).toBe(0)
    expect(seen.connections).toBe(1)
  })

  it('reads the attributes in the settings, in any letter case', async () => {
    const attributes = { usernameAttribute: 'MAIL', emailAttribute: 'Mail', nameAttribute: 'UID' }
    const found = await signInWithLdap(directory(attributes), 'a@example.org', LDAP_PASSWORD)
    expect(found).toMatchObject({ email: 'ann@example.org', name: 'ann' })
  })

  it('uses the user name if the entry has no display name', async () => {
    const options = directory({ nameAttribute: 'displayName' })
    expect((await signInWithLdap(options, 'Ann', LDAP_PASSWORD))?.name).toBe('Ann')
  })

  it('needs no service account if everybody may search', async () => {
    const { url, seen } = await startProxy(open.port)
    const found = await signInWithLdap(directory({ url, bindDn: '' }), 'ann', LDAP_PASSWORD)
    expect(found?.email).toBe('ann@example.org')
    expect(seen.sent).not.toContain(server.bindPassword)
  })
})

describe.skipIf(!isInstalled)('A directory that does not work', () => {
  beforeAll(async () => {
    server = await startLdapServer()
  })

  afterAll(() => server.close())

  it('is unavailable when it is down', async () => {
    const url = await unusedUrl()
    const refusal = await refusalOf(() => signIn(directory({ url })))
    expect(refusal.code).toBe('identity_provider_unavailable')
    expect(refusal.message).toContain('ECONNREFUSED')
  })

  it('is unavailable if it rejects the service account, and no secret is logged', async () => {
    const options = { ...directory(), bindPassword: 'wrong service password' }
    const refusal = await refusalOf(() => signIn(options))
    expect(refusal.code).toBe('identity_provider_unavailable')
    expect(refusal.message).toContain('LDAP result 49')
    expect(refusal.message).not.toMatch(/wrong|cn=|horse|ann/)
  })

  it.each<[string, Partial<LdapOptions['settings']>]>([
    ['the service may not search', { bindDn: '' }],
    ['there is no such base', { baseDn: 'dc=example,dc=net' }],
    ['the base is no name', { baseDn: 'nonsense' }],
    ['the address is none', { url: 'ldap://:::' }],
  ])('is unavailable when %s', async (_, changes) => {
    const refusal = await refusalOf(() => signIn(directory(changes)))
    expect(refusal.code).toBe('identity_provider_unavailable')
  })

  it('rejects an IPv6 address, which the library would misread', async () => {
    const refusal = await refusalOf(() => signIn(directory({ url: 'ldap://[2001:db8::10]' })))
    expect(refusal.code).toBe('identity_provider_unavailable')
    expect(refusal.message).toContain('IPv6')
  })

  it('is unavailable when it disconnects during a request', async () => {
    const url = await startTcp(createServer((socket) => socket.once('data', () => socket.destroy())))
    const refusal = await refusalOf(() => signIn(directory({ url })))
    expect(refusal.code).toBe('identity_provider_unavailable')
  })

  it('is unavailable after ten seconds of silence, also in the handshake of TLS', async () => {
    // The answer to the extended request, message 2: success (RFC 4511, 4.12).
    const success = Buffer.from('300c02010278070a010004000400', 'hex')
    const silent = await startTcp(createServer())
    const half = createServer((socket) => socket.once('data', () => socket.write(success)))
    const url = await startTcp(half)
    const begin = Date.now()
    await Promise.all(
      [directory({ url: silent }), directory({ url, startTls: true })].map(async (options) => {
        const refusal = await refusalOf(() => signIn(options))
        expect(refusal.code).toBe('identity_provider_unavailable')
        expect(Date.now() - begin).toBeGreaterThan(9000)
        expect(Date.now() - begin).toBeLessThan(15_000)
      }),
    )
  })
})

describe.skipIf(!isInstalled || !canMakeCertificates())('StartTLS', () => {
  beforeAll(async () => {
    server = await startLdapServer({ tls: true })
  })

  afterAll(() => server.close())

  it('is required: a directory without it receives no password', async () => {
    const plain = await startLdapServer()
    onTestFinished(() => plain.close())
    const { url, seen } = await startProxy(plain.port)
    const refusal = await refusalOf(() => signIn(directory({ url, startTls: true })))
    expect(refusal.code).toBe('identity_provider_unavailable')
    expect(seen.sent).not.toContain('password')
  })

  it('rejects an unknown certificate', async () => {
    const { url, seen } = await startProxy()
    const refusal = await refusalOf(() => signIn(directory({ url, startTls: true })))
    expect(refusal.code).toBe('identity_provider_unavailable')
    expect(refusal.message).toContain('SELF_SIGNED')
    await expect.poll(() => seen.open).toBe(0)
  })

  it.each([
    ['localhost', '127.0.0.1', 'ann@example.org'],
    ['127.0.0.1', '127.0.0.1', 'ann@example.org'],
    ['127.0.0.2', '127.0.0.2', 'identity_provider_unavailable'],
  ])('encrypts passwords: a known certificate, for %s', async (host, address, outcome) => {
    const { url, seen } = await startProxy(server.port, address)
    const options = directory({ url: url.replace(address, host), startTls: true })
    expect(await signInElsewhere(options, server.certificate)).toBe(outcome)
    expect(seen.connections).toBe(1)
    expect(seen.sent).not.toContain('password')
    expect(seen.sent).not.toContain('horse')
  })
})

function directory(changes: Partial<LdapOptions['settings']> = {}): LdapOptions {
  const { url, bindDn, baseDn, bindPassword } = server
  const attributes = { usernameAttribute: 'uid', emailAttribute: 'mail', nameAttribute: 'cn' }
  const settings = { title: 'LDAP', startTls: false, url, bindDn, baseDn, ...attributes }
  return { settings: { ...settings, ...changes }, bindPassword }
}

function signIn(options: LdapOptions): Promise<unknown> {
  return signInWithLdap(options, 'ann', LDAP_PASSWORD)
}

interface Seen {
  connections: number
  open: number
  /** Bytes that our side has sent, each as a character. */
  sent: string
}

/** Stands before the directory and watches. */
async function startProxy(port = server.port, address = '127.0.0.1'): Promise<{ url: string; seen: Seen }> {
  const seen = { connections: 0, open: 0, sent: '' }
  const proxy = createServer((socket) => {
    seen.connections += 1
    seen.open += 1
    const inner = connect(port, '127.0.0.1')
    socket.on('data', (data) => (seen.sent += data.toString('latin1')))
    socket.on('close', () => {
      seen.open -= 1
      inner.destroy()
    })
    socket.on('error', () => inner.destroy())
    inner.on('error', () => socket.destroy())
    socket.pipe(inner).pipe(socket)
  })
  return { url: await startTcp(proxy, address), seen }
}

async function startTcp(listener: Server, host = '127.0.0.1'): Promise<string> {
  listener.listen(0, host)
  await once(listener, 'listening')
  onTestFinished(() => {
    listener.close()
  })
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return `ldap://${host}:${address.port}`
}

async function unusedUrl(): Promise<string> {
  const listener = createServer()
  const url = await startTcp(listener)
  listener.close()
  await once(listener, 'close')
  return url
}

/** The e-mail address or the refusal. */
function signInElsewhere(options: LdapOptions, certificate: string): Promise<string> {
  const program = `
    import { signInWithLdap } from '${builtModule('src/guidance/identity/identity-providers/ldap.ts')}'
    const [options, password] = JSON.parse(process.argv[1])
    signInWithLdap(options, 'ann', password)
      .then((person) => console.log(person.email), (error) => console.log(error.code))`
  return runTrusting(certificate, program, [options, LDAP_PASSWORD])
}
