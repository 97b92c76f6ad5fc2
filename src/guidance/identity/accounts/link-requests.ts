import { everyone } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { confirmation, toast } from '../../../http/toast.ts'
import { mailLink, type LinkMail, requireMail, runAfterAnswer, SENT_MESSAGE } from '../links/mailed-links.ts'
import type { IdentityParts } from '../parts.ts'
import { findUserByEmail, type User } from '../users/reader.ts'
import { emailBody } from '../users/schemas.ts'

interface LinkRequest {
  readonly path: string
  readonly operation: string
  readonly summary: string
  /** The title of the answer, which must not depend on whether there is an account. */
  readonly title: string
  readonly mail: Pick<LinkMail, 'purpose' | 'compose'>
  readonly mayHaveLink: (user: User) => boolean
  /** Returns an answer if the settings make a mail unnecessary, else null. */
  readonly answerWithoutMail?: () => ReturnType<typeof toast> | null
}

/** An endpoint at which anybody can request a mail with a link, by the address of an account. */
export function linkRequestEndpoint(
  parts: IdentityParts,
  { path, operation, summary, title, mail, mayHaveLink, answerWithoutMail = () => null }: LinkRequest,
): Endpoint {
  return endpoint({
    method: 'post',
    path,
    operation,
    tag: 'Accounts',
    summary,
    refusals: ['mail_not_configured'],
    access: everyone,
    limited: true,
    failure: 'Could not send the link.',
    input: emailBody,
    answer: confirmation,
    handle: ({ input }) => {
      requireMail(parts)
      const answer = answerWithoutMail()
      if (answer !== null) return Promise.resolve(answer)
      runAfterAnswer(parts, async () => {
        const user = await findUserByEmail(parts.database.read, input.body.user.email)
        if (user !== null && mayHaveLink(user)) await mailLink(parts, { ...mail, user, to: user.email })
      })
      return Promise.resolve(toast(title, SENT_MESSAGE))
    },
  })
}
