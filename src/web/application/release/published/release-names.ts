interface PublishedRelease {
  readonly title: string
  readonly version: string
  readonly is_source: boolean
  readonly is_newer: boolean
}

/** A release of the published STIG in the list to choose from. */
export function nameOfRelease({ title, version, is_source, is_newer }: PublishedRelease): string {
  const note = is_source ? ', which it was begun from' : is_newer ? ', newer' : ''
  return `${title} ${version}${note}`
}
