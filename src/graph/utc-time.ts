/** The milliseconds of an `xsd:date` or `xsd:dateTime`; one without a time zone is in UTC. NaN for other texts. */
export function utcTime(lexical: string): number {
  const hasZone = !lexical.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(lexical)
  return Date.parse(hasZone ? lexical : `${lexical}Z`)
}
