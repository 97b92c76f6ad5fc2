import { z } from 'zod'
import { Refusal, type RefusalCode } from '../platform/errors.ts'

/** The message that a client shows after an operation. */
export const toastSchema = z.object({
  title: z.string().min(1),
  message: z.string().min(1).meta({ description: 'Several messages are joined with line breaks' }),
  variant: z.enum(['success', 'danger', 'warning', 'info']),
})

export type Toast = z.infer<typeof toastSchema>

/** The answer of an operation that only has a message. */
export const confirmation = z.looseObject({ toast: toastSchema })

/** The default message of a change. */
export const SAVED_MESSAGE = 'The changes are saved.'

export function toast(title: string, message: string): { readonly toast: Toast } {
  return { toast: { title, message, variant: 'success' } }
}

/** The fault of one value; the field is null if it concerns several. */
export interface FieldError {
  readonly field: string | null
  readonly message: string
}

/** Values that cannot be accepted, each with its reason; the toast has all of them, line by line. */
export function refuseValues(title: string, errors: readonly FieldError[]): Refusal {
  return refuseWithToast('validation_failed', title, errors)
}

export function refuseWithToast(code: RefusalCode, title: string, errors: readonly FieldError[]): Refusal {
  const message = errors.map((error) => error.message).join('\n')
  return new Refusal(code, `${title} ${errors.map((error) => error.message).join('. ')}`.trim(), {
    toast: { title, message, variant: 'danger' },
    errors,
  })
}
