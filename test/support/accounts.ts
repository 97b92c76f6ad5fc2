import type { User } from '../../src/guidance/identity/users/reader.ts'
import { requireUser } from '../../src/guidance/identity/users/reader.ts'
import { clientOf, PASSWORD, type Answer, type Client, type GuidanceUnderTest, type SessionClient } from './guidance.ts'
import type { ReceivedMail } from './mail-server.ts'

/** Also follows the policy. */
export const NEW_PASSWORD = 'Another-Horse-43-!Staple'

export const WRONG_PASSWORD = 'Wrong-Horse-42-!Staple'

export function logIn(client: Client, email: unknown, password: unknown = PASSWORD): Promise<Answer> {
  return client.call('POST', '/api/auth/login', { body: { email, password } })
}

/** Adds headers to each request of a client. */
export function sending(client: Client, extraHeaders: Readonly<Record<string, string>>): Client {
  return {
    call: (method, path, { headers, ...sent } = {}) =>
      client.call(method, path, { ...sent, headers: { ...extraHeaders, ...headers } }),
  }
}

/** The cookie that an answer sets, as a browser sends it back; empty if it sets none. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
}

/** A client with the session that an answer has begun. */
export function continuing({ service }: GuidanceUnderTest, answer: Answer): SessionClient {
  const cookie = cookieOf(answer)
  const csrfToken = String(answer.headers['x-csrf-token'])
  return { ...clientOf(service, { Cookie: cookie, 'X-CSRF-Token': csrfToken }), cookie, csrfToken }
}

/** Reads the row of an account. */
export function accountOf({ service }: GuidanceUnderTest, { id }: { readonly id: number }): Promise<User> {
  return requireUser(service.guidance.database.read, id)
}

/** The status of a request for the own account. */
export async function statusOf(client: Client): Promise<number> {
  return (await client.call('GET', '/api/auth/me')).status
}

/** The address in a mail. */
export function linkIn({ text }: Pick<ReceivedMail, 'text'>): URL {
  const link = /^https?:\/\/\S+$/m.exec(text)?.[0]
  if (link === undefined) throw new Error('The mail has no link')
  return new URL(link)
}

/** The secret of a mailed link, which is the value of its only parameter. */
export function secretIn(link: URL | string): string {
  const [secret] = new URL(link).searchParams.values()
  if (secret === undefined) throw new Error('The link has no secret')
  return secret
}

/** Sends a secret to the endpoint that uses it. */
export function useSecret(client: Client, purpose: 'confirmation' | 'unlock', secret: unknown): Promise<Answer> {
  return client.call('PUT', `/users/${purpose}`, { body: { [`${purpose}_token`]: secret } })
}

/** Chooses a password with the secret of a reset link. */
export function resetPassword(client: Client, reset_password_token: unknown, password = NEW_PASSWORD): Promise<Answer> {
  const user = { reset_password_token, password, password_confirmation: password }
  return client.call('PUT', '/users/password', { body: { user } })
}
