/** Authors write it at the end of the discussion, over several lines if there are many. */
const SENTENCE = /^[ \t]*Satisfies:((?:.|\n(?![ \t]*\n))*)/im
const REQUIREMENT = /\bSRG-[A-Z0-9]+(?:-[A-Z0-9]+)+/gi

/** The requirements that a discussion says a rule satisfies (`Satisfies: SRG-OS-000125-GPOS-00065, …`), but its own. */
export function satisfiedIn(discussion: string | null, own: string | null): string[] {
  const [, listed = ''] = SENTENCE.exec(discussion ?? '') ?? []
  const found = (listed.match(REQUIREMENT) ?? []).map((id) => id.toUpperCase())
  return [...new Set(found)].filter((id) => id !== own)
}
