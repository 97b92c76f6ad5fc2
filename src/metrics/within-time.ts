/** Waits for a value for a limited time; rejects if it takes longer. */
export async function withinTime<T>(value: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${ms} ms`))
    }, ms)
  })
  return Promise.race([value, timeout]).finally(() => {
    clearTimeout(timer)
  })
}
