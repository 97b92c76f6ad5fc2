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
import { RuleSaver } from './saver.ts'
import type { RuleLocation } from './stored-drafts.ts'

/** Savers of this window by rule. A running save continues when another rule is opened. */
const savers = new Map<string, RuleSaver>()

function resume(): void {
  for (const saver of savers.values()) saver.resume()
}

function flush(): void {
  for (const saver of savers.values()) saver.flush()
}

addEventListener('online', resume)
watch(seemsSignedIn, resume)
// The browser may close a window that is in the background.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'hidden') return
  flush()
  for (const saver of savers.values()) if (saver.isDirty) void saver.save()
})
addEventListener('pagehide', flush)
addEventListener('beforeunload', (event) => {
  flush()
  if ([...savers.values()].some(({ isDirty, isStored }) => isDirty && !isStored.value)) event.preventDefault()
})

export function useSaver(location: RuleLocation, form: RuleForm): RuleSaver {
  const client = useQueryClient()
  const key = keyOf(location)
  flush()
  for (const [other, saver] of savers) if (other !== key && !saver.isDirty) savers.delete(other)
  const existing = savers.get(key)
  if (existing !== undefined) return existing
  const saver = makeSaver(client, location, form)
  savers.set(key, saver)
  return saver
}

/** Finds the saver of the open rule; null if it has none. */
export function saverAt(location: RuleLocation): RuleSaver | null {
  return savers.get(keyOf(location)) ?? null
}

function keyOf({ person, component, rule }: RuleLocation): string {
  return `${person} ${component} ${rule}`
}

function makeSaver(client: QueryClient, location: RuleLocation, form: RuleForm): RuleSaver {
  const ruleKey = ['component', location.component, 'rule', location.rule]
  return new RuleSaver({
    location,
    send: async (changes, version) => {
      const rule = client.getQueryData<EditedRule>(ruleKey)
      const body = bodyOf(changes, form, rule)
      const newVersion = await send(location, version, body)
      // The id of a new check is needed for the next change.
      if ('content' in changes && rule?.checks_attributes[0] === undefined)
        await client.refetchQueries({ queryKey: ruleKey })
      return newVersion
    },
    readCurrent: (problem) => readCurrent(problem, form),
    onSaved: (changes, version) => {
      patchRow(client, location, { changes, version })
      void client.invalidateQueries({ queryKey: ruleKey })
    },
  })
}

async function send({ person, rule: id }: RuleLocation, lock_version: number, changes: object): Promise<number> {
  const { data } = await api.PUT('/rules/{id}', {
    params: { path: { id } },
    // Sends the edit only in a session of its author, without asking for a sign-in.
    fetch: (request) => fetchAnswer(request, { by: person }),
    body: { rule: { lock_version } },
    // The form decides which fields are sent; the generated types list all of them.
    bodySerializer: ({ rule }) => JSON.stringify({ rule: { ...rule, ...changes } }),
  })
  const newVersion = data?.lock_version
  return typeof newVersion === 'number' ? newVersion : lock_version
}

function readCurrent(problem: Problem, form: RuleForm): SavedValues | null {
  return storedIn(problem.details.current, form)
}

/** Updates the row of the list without loading it again. */
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
