/** `000012`: the `rule_id` of a rule, from its number within the component. */
export function ruleIdOf(number: number): string {
  return String(number).padStart(6, '0')
}

/** `CNTR-00-000012`: the name for people. */
export function displayedName(prefix: string, number: number): string {
  return `${prefix}-${ruleIdOf(number)}`
}
