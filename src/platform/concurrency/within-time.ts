/** The result of the work, or `late` if it takes longer. The work continues in any case. Rejects if it fails in time. */
export async function withinTime<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(resolve, ms, late)
  })
  return Promise.race([work, timeout]).finally(() => {
    clearTimeout(timer)
  })
}
