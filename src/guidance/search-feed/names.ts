/** Adds `SV-257777r925318` and `SV-257777` to `SV-257777r925318_rule`. */
export function ruleNames(ruleId: string): readonly string[] {
  const bare = ruleId.replace(/_rule$/, '')
  return [ruleId, bare, bare.replace(/r\d+$/, '')]
}

/** Adds `257777` to `V-257777`. */
export function groupNames(groupId: string | null): readonly string[] {
  return groupId === null ? [] : [groupId, ...(/\d{4,}$/.exec(groupId) ?? [])]
}

/** Adds `SRG-OS-000480` to `SRG-OS-000480-GPOS-00227`. Empty for a text without digits, which is not an id. */
export function requirementNames(id: string | null): readonly string[] {
  if (id === null || !/\d/.test(id)) return []
  return [id, ...(/^(SRG-[A-Z]+-\d+)-[A-Z]+-\d+$/i.exec(id)?.slice(1) ?? [])]
}
