import { useQueryClient } from '@tanstack/vue-query'
import { useRouter } from 'vue-router'
import { leaveWithMessage } from '../../account/forms/status-message.ts'
import type { ToastAnswer } from '../../account/forms/toast-answer.ts'

export interface CreatedComponent extends ToastAnswer {
  readonly id: number
  readonly unlinked_rules?:
    | readonly { readonly rule_id: string; readonly version: string | null; readonly reason: string }[]
    | undefined
}

/** Goes to a new component and announces it. */
export function useCreated(project: () => number): (created: CreatedComponent) => Promise<void> {
  const router = useRouter()
  const queries = useQueryClient()
  return async ({ id, toast }) => {
    await queries.invalidateQueries({ queryKey: ['project', project()] })
    await leaveWithMessage(router, `/components/${id}`, `${toast.title} ${toast.message}`)
  }
}
