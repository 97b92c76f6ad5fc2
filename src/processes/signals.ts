import type { Log } from '../platform/log.ts'

interface StopHandlers {
  readonly begin: () => void
  /** Called before the process ends without finishing its work. */
  readonly atOnce?: () => void
}

/** The first signal begins a stop that finishes running work; a second one ends the process at once. */
export function onStop(log: Log, { begin, atOnce }: StopHandlers): { readonly begin: () => void } {
  let signals = 0
  let hasBegun = false
  const beginOnce = (): void => {
    if (hasBegun) return
    hasBegun = true
    begin()
  }
  const stop = (signal: NodeJS.Signals): void => {
    signals += 1
    log.info({ signal }, signals > 1 ? 'Stopping at once' : 'Stopping')
    if (signals > 1) {
      atOnce?.()
      process.exit(1)
    }
    beginOnce()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return { begin: beginOnce }
}
