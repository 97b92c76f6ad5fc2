import { z } from 'zod'
import { idValue, isStorable, optionalText, requiredText } from '../../../http/input.ts'
import { MAX_PASSWORD } from '../passwords/passwords.ts'

const providerName = z.enum(['oidc', 'ldap'])

export const currentUser = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  provider: providerName.nullable().meta({ description: 'Null for an account with a local password only' }),
})

export type CurrentUser = z.infer<typeof currentUser>

export const userRef = z.object({ id: z.int(), name: z.string(), email: z.string() })

export const administeredUser = z.object({
  ...currentUser.shape,
  last_sign_in_at: z.string().nullable(),
  failed_attempts: z.int(),
  locked_at: z.string().nullable(),
  confirmed_at: z.string().nullable(),
  slack_user_id: z.string().nullable(),
  second_factors: z.int().meta({ description: 'Number of second factors of the account' }),
  second_factor_required: z
    .boolean()
    .meta({ description: 'Whether a second factor is required of this user in addition to the settings' }),
  has_password: z.boolean().meta({ description: 'Whether the account has a local password' }),
  identities: z.array(
    z.object({
      id: z.int(),
      provider: providerName,
      title: z.string().nullable().meta({
        description: 'Title of the provider; null if it is no longer set up',
      }),
      email: z.string(),
      last_sign_in_at: z
        .string()
        .nullable()
        .meta({ description: 'Time of the last sign-in with this identity; null if unknown' }),
      only_way_in: z.boolean().meta({
        description: 'Whether nobody could sign in without it, so that it cannot be unlinked',
      }),
      can_unlink: z.boolean().meta({ description: 'The opposite of only_way_in' }),
    }),
  ),
  last_site_admin: z.boolean().meta({
    description: 'Whether no other site administrator is left, so that the account has to stay',
  }),
  only_admin_of: z.array(z.object({ id: z.int(), name: z.string() })).meta({
    description: 'Projects that nobody else administers: the account has to stay for them',
  }),
})

export type AdministeredUser = z.infer<typeof administeredUser>

const ADDRESS = /^[^\s@"<>,;]{1,64}@[^\s@"<>,;]{1,190}$/u

/** An e-mail address; stored and compared in lower case. */
export const emailValue = z
  .string({
    error: ({ input }) => (input === undefined || input === null ? "Email can't be blank" : 'Email must be a text'),
  })
  .trim()
  .min(1, { error: "Email can't be blank", abort: true })
  .regex(ADDRESS, 'Email is invalid')
  .refine(isStorable, 'Email is invalid')
  .toLowerCase()
  // The text is trimmed before it is checked.
  .meta({
    pattern: ADDRESS.source.replace(/^\^/, String.raw`^\s*`).replace(/\$$/, String.raw`\s*$`),
  })

export const nameValue = requiredText('Name', { max: 255 })

/** Accepts any text; the policy for passwords decides. */
export const passwordValue = z
  .string('Password must be a text')
  .refine(
    (text) => Array.from(text).length <= MAX_PASSWORD,
    `Password is too long (maximum is ${MAX_PASSWORD} characters)`,
  )
  .meta({ format: 'password', maxLength: MAX_PASSWORD })

/** An account that a person creates for themselves. */
export const newAccount = z.object({
  name: nameValue,
  email: emailValue,
  password: passwordValue,
  password_confirmation: passwordValue.optional(),
})

/** Accepts any text: a wrong password is refused by the check, not by the schema. */
export const currentPassword = z.string('Password must be a text').meta({ format: 'password' })

export const slackValue = optionalText('Slack user id', { max: 255 })

export const secondFactorFlag = z.boolean('Second factor required must be true or false')

export const adminFlag = z.boolean('Admin must be true or false')

/** Selects an identity of an account. */
export const identityChoice = {
  identity_id: idValue.optional(),
  provider: providerName
    .optional()
    .meta({ description: 'Instead of identity_id, if the account has only one identity of this provider' }),
}

/** Confirms that an identity was unlinked. */
export const unlinkedFrom = providerName.meta({ description: 'The provider of the identity' })

/** The body of requests that only need an address. */
export const emailBody = z.object({ body: z.object({ user: z.object({ email: emailValue }) }) })

/** The caller's own password. */
export const ownPassword = passwordValue.optional().meta({
  description:
    'Of the caller: needed to open the own account or that of another site administrator, and, unless the sign-in was in the last five minutes, to make somebody one',
})

/** The body of operations that may only need a proof of identity. */
export const proofBody = z.object({ user: z.object({ current_password: ownPassword }).optional() }).optional()
