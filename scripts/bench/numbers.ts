/** The median of a list of measurements; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** The value that a share (0 to 1) of the measurements stays below; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** Tells whether a measurement meets its goal. */
export function verdict(goal: string, isMet: boolean): string {
  return `${goal} ${isMet ? 'met' : 'MISSED'}`
}
