/** Pages of people's own accounts. Links in mails lead there; the API answers programs at some of these paths. */
export const ACCOUNT_PATHS = {
  setup: '/setup',
  account: '/account',
  secondFactor: '/account/second-factor',
  signIn: '/users/sign_in',
  signUp: '/users/sign_up',
  forgottenPassword: '/users/password/new',
  newPassword: '/users/password/edit',
  confirmation: '/users/confirmation',
  unlock: '/users/unlock',
} as const

/** Paths that only the API answers, with the pages that show the same data. */
export const PAGES_OF_API_PATHS: Readonly<Record<string, string>> = {
  '/personal_access_tokens': '/account#tokens',
  '/users/edit': '/account',
  '/users/sessions': '/account',
  '/users/second_factors': '/account/second-factor',
  '/users': '/administration',
}
