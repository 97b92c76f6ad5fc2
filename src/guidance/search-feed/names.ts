/** `SV-257777r925318_rule` also without its ending, and without its revision. */
export function ruleNames(ruleId: string): readonly string[] {
  const bare = ruleId.replace(/_rule$/, '')
  return [ruleId, bare, bare.replace(/r\d+$/, '')]
}

/** `V-257777` also as its number. */
export function groupNames(groupId: string | null): readonly string[] {
  return groupId === null ? [] : [groupId, ...(/\d{4,}$/.exec(groupId) ?? [])]
}

/** `SRG-OS-000480-GPOS-00227` also as `SRG-OS-000480`. What holds no digit is no id. */
export function requirementNames(id: string | null): readonly string[] {
  if (id === null || !/\d/.test(id)) return []
  return [id, ...(/^(SRG-[A-Z]+-\d+)-[A-Z]+-\d+$/i.exec(id)?.slice(1) ?? [])]
}
