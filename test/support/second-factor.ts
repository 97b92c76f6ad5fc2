import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { z } from 'zod'
import { continuing, cookieOf, logIn, sending } from './accounts.ts'
import type { Answer, Client, GuidanceUnderTest, Person, SessionClient } from './guidance.ts'
import { PASSWORD } from './guidance.ts'

/** The code of a secret this many steps of 30 seconds later; by default the next one, which is valid already. */
export function codeOf(secret: string, steps = 1): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + steps * 30_000 })
}

/** A code that is wrong at this time. */
export function wrongCodeOf(secret: string): string {
  const right = [-1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  const wrong = ['000000', '111111', '222222', '333333', '444444'].find((code) => !right.includes(code))
  return wrong ?? ''
}

const enrolment = z.looseObject({
  second_factor: z.looseObject({ id: z.int() }),
  recovery_codes: z.array(z.string()).nullable(),
})

export interface Enrolled {
  readonly id: number
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** Sets up one-time codes with the current code, which does not work again. */
export async function enrolCodes(session: Client, current_password?: string): Promise<Enrolled> {
  const begun = await session.call('POST', '/users/second_factors/totp', {
    body: { ...(current_password !== undefined && { current_password }) },
  })
  const { secret } = z.looseObject({ secret: z.string() }).parse(begun.body)
  const body = { name: 'Phone', code: codeOf(secret, 0) }
  const done = await session.call('POST', '/users/second_factors/totp/confirm', { body })
  const { second_factor, recovery_codes } = enrolment.parse(done.body)
  return { id: second_factor.id, secret, recoveryCodes: recovery_codes ?? [] }
}

/** A person with one-time codes, and the session in which they set them up. */
export async function personWithCodes(
  guidance: GuidanceUnderTest,
  name: string,
  how: { admin?: boolean } = {},
): Promise<Enrolled & { readonly person: Person; readonly session: SessionClient }> {
  const person = await guidance.person(name, how)
  const session = await guidance.signIn(person.email)
  return { ...(await enrolCodes(session)), person, session }
}

/** A sign-in after the password, which still needs the second factor. */
export interface Pending extends Client {
  readonly answer: Answer
  readonly cookie: string
}

export async function givePassword(
  { nobody }: GuidanceUnderTest,
  email: string,
  password = PASSWORD,
): Promise<Pending> {
  const answer = await logIn(nobody, email, password)
  const cookie = cookieOf(answer)
  return { ...sending(nobody, { Cookie: cookie }), answer, cookie }
}

export function giveFactor(pending: Client, body: unknown): Promise<Answer> {
  return pending.call('POST', '/api/auth/second_factor', { body })
}

/** Signs in with password and code. */
export async function signInWithCode(guidance: GuidanceUnderTest, email: string, code: string): Promise<SessionClient> {
  const answer = await giveFactor(await givePassword(guidance, email), { code })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return continuing(guidance, answer)
}

const asked = z.looseObject({ challenge: z.string() })

/** An authenticator in software, for one passkey (ES256, no attestation). */
export class SoftPasskey {
  readonly id = randomBytes(16).toString('base64url')
  counter = 0
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Answers like `navigator.credentials.create`. */
  create(options: unknown): Record<string, unknown> {
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      lengthOf(this.#created()),
      this.#created(),
    ])
    const response = {
      clientDataJSON: this.#clientData('webauthn.create', options).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    }
    return this.#credential(response)
  }

  /** Answers like `navigator.credentials.get`. */
  get(options: unknown): Record<string, unknown> {
    this.counter += 1
    const clientData = this.#clientData('webauthn.get', options)
    const data = this.#data(0x01)
    const digest = createHash('sha256').update(clientData).digest()
    const signature = sign('sha256', Buffer.concat([data, digest]), this.#keys.privateKey)
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #credential(response: Record<string, unknown>): Record<string, unknown> {
    const { id } = this
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, options: unknown): Buffer {
    const { challenge } = asked.parse(options)
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin }))
  }

  #data(flags: number): Buffer {
    const { hostname } = new URL(this.#origin)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([createHash('sha256').update(hostname).digest(), Buffer.from([flags]), counter])
  }

  #created(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const id = Buffer.from(this.id, 'base64url')
    return Buffer.concat([
      this.#data(0x41),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
  }
}

function lengthOf({ length }: Buffer): Buffer {
  return Buffer.from([length])
}
