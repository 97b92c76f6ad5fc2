const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a task. A signal during the task undoes its work so far and ends the process. */
export async function undoOnSignal<T>(undo: () => void, task: () => Promise<T>): Promise<T> {
  const stop = (): void => {
    undo()
    process.exit(1)
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    return await task()
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
