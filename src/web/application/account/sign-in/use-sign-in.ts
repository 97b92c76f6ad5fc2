import { reactive, ref, type Ref } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import { problemOf } from '../../client/problem.ts'

interface SignIn {
  readonly local: { email: string; password: string }
  /** The possible second factors, after the password was correct. */
  readonly methods: Ref<readonly string[] | null>
  /** Waits for an answer that signs the person in. */
  readonly signIn: (request: Promise<unknown>) => Promise<void>
  readonly signInHere: () => Promise<void>
  readonly restart: (message: string) => Promise<void>
}

/** Signs a person in with a password. Calls `enter` afterwards, and `showMessage` with messages before. */
export function useSignIn(enter: () => Promise<void>, showMessage: (text: string) => Promise<void>): SignIn {
  const methods = ref<readonly string[] | null>(null)
  const local = reactive({ email: '', password: '' })

  async function signIn(request: Promise<unknown>): Promise<void> {
    try {
      await request
    } catch (error) {
      const problem = problemOf(error)
      if (problem.details.attempts_left === 1) problem.message += ' After one more wrong attempt the account is locked.'
      throw problem
    }
    await enter()
  }

  async function signInHere(): Promise<void> {
    try {
      await signIn(answerOf(api.POST('/api/auth/login', { body: local })))
    } catch (error) {
      const { code, details } = problemOf(error)
      if (code !== 'second_factor_required') throw error
      local.password = ''
      methods.value = details.methods ?? []
      await showMessage('The password is right. Now show your second factor.')
    }
  }

  async function restart(message: string): Promise<void> {
    methods.value = null
    await showMessage(message)
  }

  return { local, methods, signIn, signInHere, restart }
}
