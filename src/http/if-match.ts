import { Refusal } from '../platform/errors.ts'

/** The version of a record as a strong validator (RFC 9110 §8.8.3). */
export function versionTag(lockVersion: number): string {
  return `"${lockVersion}"`
}

/** The version that an If-Match header names; null without one or for `*` (RFC 9110 §13.1.1). */
export function seenVersion(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null
  const version = /^\s*"(\d{1,9})"\s*$/.exec(header)?.[1]
  if (version !== undefined) return Number(version)
  throw new Refusal('parameter_invalid', 'If-Match must be the ETag of the record.', {
    parameter: 'If-Match',
  })
}
