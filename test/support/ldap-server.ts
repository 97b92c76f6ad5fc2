import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'
import { SLAPD, slapd } from './programs.ts'

export interface LdapServerOptions {
  /** Lets everybody search, not only the service account. */
  readonly anonymousSearch?: boolean
  /** Offers StartTLS with an untrusted certificate. Needs OpenSSL. */
  readonly tls?: boolean
}

export interface LdapServer {
  readonly url: string
  readonly port: number
  readonly bindDn: string
  readonly bindPassword: string
  readonly baseDn: string
  /** The PEM file of the certificate, with TLS. */
  readonly certificate: string
  close(): Promise<void>
}

/** The folder of Debian for files of the server. */
const SCHEMAS = '/etc/ldap/schema'
const MODULES = '/usr/lib/ldap'

const NO_CERTIFICATE = { certificate: '' }
const BASE_DN = 'dc=example,dc=org'
const BIND_DN = `cn=service,${BASE_DN}`
const BIND_PASSWORD = 'service password'

/** The password of all people. */
export const LDAP_PASSWORD = 'correct horse ü'

type Entry = Readonly<Record<string, string | readonly string[]>>

const PEOPLE: readonly (readonly [dn: string, entry: Entry])[] = [
  [`uid=Ann,ou=people,${BASE_DN}`, person('ann', { mail: ['Ann@Example.org', 'a@example.org'] })],
  [`uid=mailless,ou=people,${BASE_DN}`, person('mailless', {})],
  [`uid=jörg,ou=people,${BASE_DN}`, person('jörg', { mail: 'joerg@example.org' })],
  [`cn=odd,ou=people,${BASE_DN}`, person('o(d)*d\\2a', { cn: 'odd', mail: 'odd@example.org' })],
  [`uid=twin,ou=people,${BASE_DN}`, person('twin', { mail: 'twin@example.org' })],
  [`uid=twin,ou=staff,${BASE_DN}`, person('twin', { mail: 'other-twin@example.org' })],
  [`uid=locked,ou=people,${BASE_DN}`, person('locked', { mail: 'locked@example.org', userPassword: [] })],
]

/** The OpenLDAP server, or null if Debian's package is not installed. */
export function slapdPath(): string | null {
  return slapd.isInstalled ? SLAPD : null
}

/**
 * A real directory on a free port of this machine. Like some real ones, it accepts a bind with a name and without a
 * password as anonymous.
 */
export async function startLdapServer(options: LdapServerOptions = {}): Promise<LdapServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-ldap-'))
  try {
    const { certificate } = options.tls === true ? await makeCertificate(folder) : NO_CERTIFICATE
    await writeFile(join(folder, 'slapd.conf'), configurationOf(folder, options))
    await writeFile(join(folder, 'people.ldif'), ldif())
    await mkdir(join(folder, 'db'))
    const load = ['-T', 'add', '-f', join(folder, 'slapd.conf'), '-l', join(folder, 'people.ldif')]
    await promisify(execFile)(SLAPD, load)
    const { port, server } = await launch(folder)
    return {
      url: `ldap://127.0.0.1:${port}`,
      port,
      bindDn: BIND_DN,
      bindPassword: BIND_PASSWORD,
      baseDn: BASE_DN,
      certificate,
      close: async () => {
        await stop(server)
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

function configurationOf(folder: string, options: LdapServerOptions): string {
  const tls = `TLSCertificateFile ${folder}/cert.pem\nTLSCertificateKeyFile ${folder}/key.pem`
  const readers = options.anonymousSearch === true ? '*' : `dn.exact="${BIND_DN}"`
  return `
include ${SCHEMAS}/core.schema
include ${SCHEMAS}/cosine.schema
include ${SCHEMAS}/inetorgperson.schema
modulepath ${MODULES}
moduleload back_mdb
allow bind_anon_cred bind_anon_dn
${options.tls === true ? tls : ''}
database mdb
suffix "${BASE_DN}"
directory ${folder}/db
dbnosync
access to attrs=userPassword by anonymous auth by * none
access to * by ${readers} read by * none
`
}

function ldif(): string {
  const unit = (ou: string): readonly [string, Entry] => [
    `ou=${ou},${BASE_DN}`,
    { objectClass: 'organizationalUnit', ou },
  ]
  const entries: typeof PEOPLE = [
    [BASE_DN, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }],
    [
      BIND_DN,
      { objectClass: ['applicationProcess', 'simpleSecurityObject'], cn: 'service', userPassword: BIND_PASSWORD },
    ],
    unit('people'),
    unit('staff'),
    ...PEOPLE,
  ]
  return entries.map(([dn, entry]) => block({ dn, ...entry })).join('\n')
}

/** Writes all values in Base64 (RFC 2849), so that they may have any character. */
function block(entry: Entry): string {
  return Object.entries(entry)
    .flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const))
    .map(([name, value]) => `${name}:: ${Buffer.from(value).toString('base64')}\n`)
    .join('')
}

function person(uid: string, changes: Entry): Entry {
  const cn = `${uid} of Example`
  return { objectClass: 'inetOrgPerson', uid, cn, sn: 'x', userPassword: LDAP_PASSWORD, ...changes }
}

async function launch(folder: string): Promise<{ port: number; server: ChildProcess }> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const port = await freePort()
    const options = ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', `ldap://127.0.0.1:${port}`]
    const server = spawn(SLAPD, options, { stdio: 'ignore' })
    if (await isUp(server, port)) return { port, server }
    await stop(server)
  }
  throw new Error('slapd does not start')
}

async function isUp(server: ChildProcess, port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 200 && server.exitCode === null; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      }).on('error', () => {
        resolve(false)
      })
    })
    if (isOpen) return true
    await sleep(50)
  }
  return false
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  const killing = setTimeout(() => server.kill('SIGKILL'), 5000)
  await gone
  clearTimeout(killing)
}
