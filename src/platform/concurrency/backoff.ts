interface BackoffLimits {
  /** In milliseconds, after the first failure. */
  readonly firstMs: number
  /** In milliseconds. */
  readonly longestMs: number
}

/** Milliseconds to wait after some failures in a row: twice as long after each further one, up to a limit. */
export function backoffMs(failures: number, { firstMs, longestMs }: BackoffLimits): number {
  return failures <= 0 ? 0 : Math.min(longestMs, firstMs * 2 ** (failures - 1))
}
