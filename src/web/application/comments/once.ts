/** Does one thing at a time: to press again while the first is under way, as in a double click, does nothing. */
export function once<A extends readonly unknown[]>(
  work: (...given: A) => Promise<void>,
): (...given: A) => Promise<void> {
  let isBusy = false
  return async (...given) => {
    if (isBusy) return
    isBusy = true
    try {
      await work(...given)
    } finally {
      isBusy = false
    }
  }
}
