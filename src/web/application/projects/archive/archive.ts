/** Options of an import. */
export interface ArchiveOptions {
  include_reviews: boolean
  include_memberships: boolean
}

type Flag = 'true' | 'false'

/** The options as form values. */
export function flagsOf(
  { include_reviews, include_memberships }: ArchiveOptions,
  isTrial: boolean,
): { readonly include_reviews: Flag; readonly include_memberships: Flag; readonly dry_run: Flag } {
  return {
    include_reviews: flag(include_reviews),
    include_memberships: flag(include_memberships),
    dry_run: flag(isTrial),
  }
}

function flag(value: boolean): Flag {
  return value ? 'true' : 'false'
}

/** Leaves room for a number after a name, which has at most 255 characters. */
const MAX_NAME_LENGTH = 245

/** A name for each component of an archive; a name in use gets the first free number. */
export function namesFor(
  components: readonly { readonly name: string; readonly conflict: boolean }[],
  taken: readonly string[],
): Readonly<Record<string, string>> {
  const used = new Set([...taken, ...components.map(({ name }) => name)])
  return Object.fromEntries(components.map(({ name, conflict }) => [name, conflict ? freeName(name, used) : name]))
}

function freeName(name: string, used: Set<string>): string {
  const base = Array.from(name).slice(0, MAX_NAME_LENGTH).join('')
  let number = 2
  while (used.has(`${base} (${number})`)) number += 1
  used.add(`${base} (${number})`)
  return `${base} (${number})`
}

/** The chosen components with their new names, for the API. */
export function filterOf(names: Readonly<Record<string, string>>, left: ReadonlySet<string>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(names).filter(([name]) => !left.has(name))))
}
