/** A boolean from a column, which has 0, 1 or null. */
export function flagOf(value: number | null): boolean | null {
  return value === null ? null : value === 1
}

export function numberOf(flag: boolean | null): number | null {
  return flag === null ? null : Number(flag)
}
