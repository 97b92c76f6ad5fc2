import { z } from 'zod'
import { jsonIn } from '../../platform/json.ts'

/** Older activations are forgotten. */
const MAX_TRANSITIONS = 100

const transition = z.object({ from: z.string(), to: z.string(), at: z.string() })

/** A change of the active release. */
export type Transition = z.infer<typeof transition>

/** Versions that were active, the newest last. */
export type History = readonly Transition[]

/** A release that was active before, and the history to continue with when it is active again. */
export interface EarlierRelease {
  readonly version: string
  readonly history: History
}

/** A damaged history counts as empty, because it must not prevent the activation of a release. */
export function parseHistory(text: string | null): History {
  return z.array(transition).safeParse(jsonIn(text ?? '')).data ?? []
}

export function formatHistory(history: History): string {
  return `${JSON.stringify(history.slice(-MAX_TRANSITIONS), null, 1)}\n`
}

/**
 * Lists the versions that were active before a version, the latest first. The history is written before the name of the
 * active version, so a crash between the two leaves a last transition that never happened; it does not count. If the
 * name was changed by hand or by an older program, the history lacks that change, and its last version was active
 * before. The same applies if no version is active because its name is lost.
 */
export function* releasesBefore(active: string | null, history: History): Generator<EarlierRelease, void> {
  let currentHistory = active === null ? history : withoutUnfinished(active, history)
  const seen = new Set(active === null ? [] : [active])
  const last = currentHistory.at(-1)
  if (last !== undefined && !seen.has(last.to)) {
    seen.add(last.to)
    yield { version: last.to, history: currentHistory }
  }
  for (let next = currentHistory.at(-1); next !== undefined; next = currentHistory.at(-1)) {
    currentHistory = currentHistory.slice(0, -1)
    if (!seen.has(next.from)) yield { version: next.from, history: currentHistory }
    seen.add(next.from)
  }
}

/** The history with another transition at its end. */
export function withTransition(history: History, next: Transition): History {
  return [...withoutUnfinished(next.from, history), next]
}

function withoutUnfinished(active: string, history: History): History {
  const last = history.at(-1)
  return last !== undefined && last.to !== active && last.from === active ? history.slice(0, -1) : history
}
