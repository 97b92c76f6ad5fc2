import type { TextRemark } from '../finding.ts'

/** Number of remarks of one kind in one text. */
const MOST = 100

/** Remarks on the first places; the last one says how many there are more, on which none is made. */
export function firstOf<Place>(
  places: readonly Place[],
  remarkOn: (place: Place) => TextRemark,
): readonly TextRemark[] {
  const remarks = places.slice(0, MOST).map(remarkOn)
  const last = remarks.at(-1)
  const more = places.length - remarks.length
  if (last === undefined || more === 0) return remarks
  return remarks.with(-1, {
    ...last,
    message: `${last.message} (There are ${more} more of this kind.)`,
  })
}
