import { useQueryClient, type QueryClient } from '@tanstack/vue-query'
import { watch } from 'vue'
import { api } from '../../client/api.ts'
import { fetchAnswer } from '../../client/fetch-answer.ts'
import type { Problem } from '../../client/problem.ts'
import { seemsSignedIn } from '../../client/signed-in.ts'
import { severityOf, statusOf } from '../list/statuses.ts'
import type { PickedRule } from '../list/use-list.ts'
import { bodyOf, storedIn, type EditedRule, type RuleForm } from '../rule/values.ts'
import type { SavedValues, Values } from './draft.ts'
import type { RuleLocation } from './kept.ts'
import { RuleSaver } from './saver.ts'

/** Savers of this window by rule. A save that is under way goes on when another rule is opened. */
const savers = new Map<string, RuleSaver>()

function goOn(): void {
  for (const saver of savers.values()) saver.goOn()
}

function catchUp(): void {
  for (const saver of savers.values()) saver.catchUp()
}

addEventListener('online', goOn)
watch(seemsSignedIn, goOn)
// The browser may close a window that is in the background.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'hidden') return
  catchUp()
  for (const saver of savers.values()) if (saver.isDirty) void saver.save()
})
addEventListener('pagehide', catchUp)
addEventListener('beforeunload', (event) => {
  catchUp()
  if ([...savers.values()].some(({ isDirty, isKept }) => isDirty && !isKept.value)) event.preventDefault()
})

export function useSaver(place: RuleLocation, form: RuleForm): RuleSaver {
  const client = useQueryClient()
  const key = keyOf(place)
  catchUp()
  for (const [other, saver] of savers) if (other !== key && !saver.isDirty) savers.delete(other)
  const known = savers.get(key)
  if (known !== undefined) return known
  const made = makeSaver(client, place, form)
  savers.set(key, made)
  return made
}

/** Finds the saver of the open rule; null if it has none. */
export function saverAt(place: RuleLocation): RuleSaver | null {
  return savers.get(keyOf(place)) ?? null
}

function keyOf({ person, component, rule }: RuleLocation): string {
  return `${person} ${component} ${rule}`
}

function makeSaver(client: QueryClient, place: RuleLocation, form: RuleForm): RuleSaver {
  const ruleKey = ['component', place.component, 'rule', place.rule]
  return new RuleSaver({
    place,
    send: async (changes, version) => {
      const rule = client.getQueryData<EditedRule>(ruleKey)
      const body = bodyOf(changes, form, rule)
      const next = await send(place, version, body)
      // A check that was made now has a number by which it is changed from now on.
      if ('content' in changes && rule?.checks_attributes[0] === undefined)
        await client.refetchQueries({ queryKey: ruleKey })
      return next
    },
    currentIn: (problem) => currentIn(problem, form),
    told: (changes, version) => {
      patchRow(client, place, { changes, version })
      void client.invalidateQueries({ queryKey: ruleKey })
    },
  })
}

async function send({ person, rule: id }: RuleLocation, lock_version: number, changes: object): Promise<number> {
  const { data } = await api.PUT('/rules/{id}', {
    params: { path: { id } },
    // Saving does not interrupt the author, and is sent for nobody else.
    fetch: (request) => fetchAnswer(request, { by: person }),
    body: { rule: { lock_version } },
    // The form decides which fields are sent; the generated types list all of them.
    bodySerializer: ({ rule }) => JSON.stringify({ rule: { ...rule, ...changes } }),
  })
  const next = data?.lock_version
  return typeof next === 'number' ? next : lock_version
}

function currentIn(problem: Problem, form: RuleForm): SavedValues | null {
  return storedIn(problem.details.current, form)
}

/** The list shows what was saved without being asked for again. */
function patchRow(
  client: QueryClient,
  { component, rule }: RuleLocation,
  { changes, version }: { readonly changes: Values; readonly version: number },
): void {
  const { title, status, rule_severity } = changes
  client.setQueryData<readonly PickedRule[]>(['component', component, 'rows'], (rows) =>
    rows?.map((row) =>
      row.id === rule
        ? {
            ...row,
            lock_version: version,
            title: typeof title === 'string' ? title : row.title,
            status: statusOf(status) ?? row.status,
            rule_severity: severityOf(rule_severity) ?? row.rule_severity,
          }
        : row,
    ),
  )
}
