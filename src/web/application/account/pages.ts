import type { ACCOUNT_PATHS } from '../../paths/account.ts'
import type { LoadPage } from '../load-page.ts'

export const ACCOUNT_PAGES = {
  setup: () => import('./links/SetupPage.vue'),
  account: () => import('./own/AccountPage.vue'),
  secondFactor: () => import('./second-factor/SecondFactorPage.vue'),
  signIn: () => import('./sign-in/SignInPage.vue'),
  signUp: () => import('./sign-in/SignUpPage.vue'),
  forgottenPassword: () => import('./sign-in/ForgottenPasswordPage.vue'),
  newPassword: () => import('./links/NewPasswordPage.vue'),
  confirmation: () => import('./links/ConfirmationPage.vue'),
  unlock: () => import('./links/UnlockPage.vue'),
} satisfies Readonly<Record<keyof typeof ACCOUNT_PATHS, LoadPage>>
