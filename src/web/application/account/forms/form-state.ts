import { inject, provide, reactive, type InjectionKey } from 'vue'
import { problemOf } from '../../client/problem.ts'

/** The state of a form and its errors. */
interface FormState {
  isBusy: boolean
  /** Errors without a field. */
  message: string
  /** Whether the session has ended. */
  isSignedOut: boolean
  /** By the names of fields. */
  faults: Map<string, readonly string[]>
  /** Names of the fields that show their errors. */
  readonly fields: Set<string>
}

const KEY: InjectionKey<FormState> = Symbol('form')

export function provideForm(): FormState {
  const state = reactive<FormState>({
    isBusy: false,
    message: '',
    isSignedOut: false,
    faults: new Map(),
    fields: new Set(),
  })
  provide(KEY, state)
  return state
}

export function useForm(): FormState {
  const state = inject(KEY)
  if (state === undefined) throw new Error('A field stands in a form')
  return state
}

/** Prevents double sending. Errors are shown beside their field, or above the form. */
export async function submit(state: FormState, send: () => Promise<void>): Promise<boolean> {
  if (state.isBusy) return false
  state.isBusy = true
  state.message = ''
  state.isSignedOut = false
  state.faults = new Map()
  try {
    await send()
    return true
  } catch (error) {
    showFailure(state, error)
    return false
  } finally {
    state.isBusy = false
  }
}

function showFailure(state: FormState, error: unknown): void {
  const errors = errorsOf(error)
  const loose: string[] = []
  for (const { field, message } of errors) {
    // A field such as `allowed_ips.0` belongs to the field of the list.
    const [name = ''] = (field ?? '').split('.')
    if (state.fields.has(name)) state.faults.set(name, [...(state.faults.get(name) ?? []), message])
    else loose.push(message)
  }
  const { code, details, message } = problemOf(error)
  state.isSignedOut = code === 'not_authenticated'
  const title = details.toast?.title ?? message
  // A refused password without a field for it is reported once.
  state.message = [...new Set([errors.length > 0 ? title : message, ...loose])].join('\n')
}

function errorsOf(error: unknown): readonly { readonly field: string | null; readonly message: string }[] {
  const { code, message, details } = problemOf(error)
  if (code === 'incorrect_password') return [{ field: 'current_password', message }]
  return details.errors ?? []
}
