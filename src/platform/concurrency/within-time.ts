/** What work results in, or `late` if it takes longer. The work continues in any case. Rejects if it fails in time. */
export async function withinTime<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<L>((resolve) => {
    timer = setTimeout(resolve, ms, late)
  })
  return Promise.race([work, isLate]).finally(() => {
    clearTimeout(timer)
  })
}
