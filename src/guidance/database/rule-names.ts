/** `000012`: the number of a rule within its component, as records carry it. */
export function ruleIdOf(number: number): string {
  return String(number).padStart(6, '0')
}

/** `CNTR-00-000012`: how people call a rule. */
export function displayedName(prefix: string, number: number): string {
  return `${prefix}-${ruleIdOf(number)}`
}
