/** What of an archive is wanted. */
export interface ArchiveOptions {
  include_reviews: boolean
  include_memberships: boolean
}

type Flag = 'true' | 'false'

/** The same as values of a form. */
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

interface Archived {
  readonly name: string
  readonly conflict: boolean
}

/** A name for each component of an archive; one that is taken gets a number. */
export function namesFor(components: readonly Archived[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    components.map(({ name, conflict }) => [name, conflict ? `${name} (2)` : name]),
  )
}

/** Those that are wanted, with their new names, as the API takes them. */
export function filterOf(
  names: Readonly<Record<string, string>>,
  left: ReadonlySet<string>,
): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(names).filter(([name]) => !left.has(name))),
  )
}
