import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref } from 'vue'
import { advising } from '../../../../wording/advise.ts'
import type { Finding } from '../../../../wording/finding.ts'
import { answerOf, api } from '../../client/api.ts'
import { useDrawn } from '../../parts/drawn.ts'
import type { Rule } from '../rule/queries.ts'
import { storedIn, type RuleForm } from '../rule/values.ts'
import type { Values } from '../saving/draft.ts'
import { followed, shapeServiceFindings, shapeOwnFindings, type AdviceItem } from './told.ts'
import { writtenIn } from './written.ts'

type RuleAdvice = Awaited<ReturnType<typeof askAdvice>>

/** The suggestions for the open rule. */
export interface Advice {
  /** The answer of the service; the last one stays while the service does not answer. */
  readonly query: UseQueryReturnType<RuleAdvice, Error>
  /** Suggestions for the current texts, as of the last pause. */
  readonly told: ComputedRef<readonly AdviceItem[]>
  /** The texts that were checked at that pause; null before the first one. */
  readonly read: Readonly<Ref<Values | null>>
}

interface AdviceInput {
  readonly rule: Rule
  readonly component: { readonly id: number }
  readonly form: RuleForm
}

/** After the last key. */
const PAUSE_MS = 400
/** Checking long texts gives way to keys after this time. */
const TURN_MS = 10

export function adviceKey(component: number, rule: number): readonly unknown[] {
  return ['component', component, 'rule', rule, 'advice']
}

function askAdvice(id: number, signal: AbortSignal) {
  return answerOf(api.GET('/rules/{id}/advice', { params: { path: { id } }, signal }))
}

export function useAdvice(parts: AdviceInput, values: ComputedRef<Values>): Advice {
  // First the rule, then what is to be said of it.
  const isDrawn = useDrawn()
  const query = useQuery({
    queryKey: computed(() => adviceKey(parts.component.id, parts.rule.id)),
    queryFn: ({ signal }) => askAdvice(parts.rule.id, signal),
    enabled: isDrawn,
  })
  const heard = useHeard(parts, query.data)
  const own = shallowRef<readonly AdviceItem[]>([])
  const read = shallowRef<Values | null>(null)
  const readNow = reader(parts, (now, findings) => {
    own.value = shapeOwnFindings(findings, now, parts.rule)
    read.value = now
  })
  watch([values, () => parts.rule, isDrawn], () => {
    if (isDrawn.value) readNow(values.value, read.value === null ? 0 : PAUSE_MS)
  })
  const told = computed(() => {
    const off = new Set(query.data.value?.off.map(({ code }) => code))
    const all = [...own.value, ...followed(heard.value, read.value ?? {})]
    return all.filter(({ code }) => !off.has(code))
  })
  return { query, told, read }
}

/** The findings that only the service can make, taken over once both answers are about the same version. */
function useHeard(parts: AdviceInput, advice: Ref<RuleAdvice | undefined>): Ref<readonly AdviceItem[]> {
  const heard = shallowRef<readonly AdviceItem[]>([])
  watch(
    [advice, () => parts.rule],
    () => {
      const stored = storedIn(parts.rule, parts.form)
      if (advice.value === undefined || advice.value.lock_version !== stored?.version) return
      heard.value = shapeServiceFindings(advice.value.findings, stored.values, parts.rule)
    },
    { immediate: true },
  )
  return heard
}

type ScheduleReading = (values: Values, pause: number) => void

/** Reads after a pause, in turns; what is written meanwhile is read instead. */
function reader(parts: AdviceInput, done: (values: Values, findings: readonly Finding[]) => void): ScheduleReading {
  let timer: ReturnType<typeof setTimeout> | undefined
  onScopeDispose(() => {
    clearTimeout(timer)
  })
  return (values, pause) => {
    clearTimeout(timer)
    const { rule, form } = parts
    timer = setTimeout(() => {
      const steps = advising(writtenIn(values, rule, form.document_type))
      const go = (): void => {
        const found = findSome(steps)
        if (found === null) timer = setTimeout(go)
        else done(values, found)
      }
      go()
    }, pause)
  }
}

/** Goes on for a turn; null until everything is read. */
function findSome(steps: ReturnType<typeof advising>): readonly Finding[] | null {
  const end = performance.now() + TURN_MS
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() > end) return null
  }
}
