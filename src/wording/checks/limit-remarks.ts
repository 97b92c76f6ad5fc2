import type { TextRemark } from '../finding.ts'

/** Limit of remarks of one kind in one text. */
const MAX_FINDINGS = 100

/** Remarks on the first places; the last remark has the number of further places. */
export function limitRemarks<Place>(
  places: readonly Place[],
  remarkOn: (place: Place) => TextRemark,
): readonly TextRemark[] {
  const remarks = places.slice(0, MAX_FINDINGS).map(remarkOn)
  const last = remarks.at(-1)
  const omitted = places.length - remarks.length
  if (last === undefined || omitted === 0) return remarks
  return remarks.with(-1, {
    ...last,
    message: `${last.message} (There are ${omitted} more of this kind.)`,
  })
}
