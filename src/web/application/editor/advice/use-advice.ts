import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref } from 'vue'
import { adviseInSteps } from '../../../../wording/advise.ts'
import type { Finding } from '../../../../wording/finding.ts'
import { answerOf, api } from '../../client/api.ts'
import { useDrawn } from '../../parts/drawing/use-drawn.ts'
import type { Rule } from '../rule/queries.ts'
import { storedIn, type RuleForm } from '../rule/values.ts'
import type { Values } from '../saving/draft.ts'
import { findAgain, shapeServiceFindings, shapeOwnFindings, type AdviceItem } from './advice-items.ts'
import { shapeWrittenRule } from './advised-rule.ts'

type RuleAdvice = Awaited<ReturnType<typeof fetchAdvice>>

/** The suggestions for the open rule. */
export interface Advice {
  /** The answer of the service; the last one stays while the service does not answer. */
  readonly query: UseQueryReturnType<RuleAdvice, Error>
  /** Suggestions for the current texts, as of the last pause. */
  readonly items: ComputedRef<readonly AdviceItem[]>
  /** The texts that were checked at that pause; null before the first one. */
  readonly checkedValues: Readonly<Ref<Values | null>>
}

interface AdviceInput {
  readonly rule: Rule
  readonly component: { readonly id: number }
  readonly form: RuleForm
}

/** The texts are checked this long after the last key. */
const CHECK_DELAY_MS = 400
/** Checking long texts gives way to keys after this time. */
const MAX_TURN_MS = 10

export function adviceKey(component: number, rule: number): readonly unknown[] {
  return ['component', component, 'rule', rule, 'advice']
}

function fetchAdvice(id: number, signal: AbortSignal) {
  return answerOf(api.GET('/rules/{id}/advice', { params: { path: { id } }, signal }))
}

export function useAdvice(input: AdviceInput, values: ComputedRef<Values>): Advice {
  // The rule is shown before the advice is requested.
  const isDrawn = useDrawn()
  const query = useQuery({
    queryKey: computed(() => adviceKey(input.component.id, input.rule.id)),
    queryFn: ({ signal }) => fetchAdvice(input.rule.id, signal),
    enabled: isDrawn,
    meta: { isLater: true },
  })
  const serviceItems = useServiceItems(input, query.data)
  const ownItems = shallowRef<readonly AdviceItem[]>([])
  const checkedValues = shallowRef<Values | null>(null)
  const checkSoon = scheduleChecks(input, (newValues, findings) => {
    ownItems.value = shapeOwnFindings(findings, newValues, input.rule)
    checkedValues.value = newValues
  })
  watch([values, () => input.rule, isDrawn], () => {
    if (isDrawn.value) checkSoon(values.value, checkedValues.value === null ? 0 : CHECK_DELAY_MS)
  })
  const items = computed(() => {
    const turnedOffCodes = new Set(query.data.value?.off.map(({ code }) => code))
    const allItems = [...ownItems.value, ...findAgain(serviceItems.value, checkedValues.value ?? {})]
    return allItems.filter(({ code }) => !turnedOffCodes.has(code))
  })
  return { query, items, checkedValues }
}

/** The findings that only the service can make, taken over once both answers are about the same version. */
function useServiceItems(input: AdviceInput, advice: Ref<RuleAdvice | undefined>): Ref<readonly AdviceItem[]> {
  const serviceItems = shallowRef<readonly AdviceItem[]>([])
  watch(
    [advice, () => input.rule],
    () => {
      const stored = storedIn(input.rule, input.form)
      if (advice.value === undefined || advice.value.lock_version !== stored?.version) return
      serviceItems.value = shapeServiceFindings(advice.value.findings, stored.values, input.rule)
    },
    { immediate: true },
  )
  return serviceItems
}

/** Checks the texts after a pause, in steps. A later change starts over. */
function scheduleChecks(
  input: AdviceInput,
  done: (values: Values, findings: readonly Finding[]) => void,
): (values: Values, pause: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  onScopeDispose(() => {
    clearTimeout(timer)
  })
  return (values, pause) => {
    clearTimeout(timer)
    const { rule, form } = input
    timer = setTimeout(() => {
      const steps = adviseInSteps(shapeWrittenRule(values, rule, form.document_type))
      const continueSoon = (): void => {
        const findings = continueCheck(steps)
        if (findings === null) timer = setTimeout(continueSoon)
        else done(values, findings)
      }
      continueSoon()
    }, pause)
  }
}

/** Continues checking for a limited time; null until it is done. */
function continueCheck(steps: ReturnType<typeof adviseInSteps>): readonly Finding[] | null {
  const end = performance.now() + MAX_TURN_MS
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() > end) return null
  }
}
