/** The date and time formats that are part of every workbook (ECMA-376 §18.8.30). */
const BUILT_IN: readonly (readonly [number, number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

export function isBuiltInDate(id: number): boolean {
  return BUILT_IN.some(([from, to]) => id >= from && id <= to)
}

/** Whether this format shows a number as a date or time. */
export function isDateFormat(code: string): boolean {
  const bare = code.replaceAll(/"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  return /[dmyhs]/i.test(bare) && !/general/i.test(bare)
}

const DAY = 86_400_000
/** The days from the start of each calendar to 1970. */
const EPOCH = { from1900: 25_569, from1904: 24_107 }
/** The last day that Excel supports: 9999-12-31. */
const MAX_SERIAL = 2_958_465

/**
 * The date of a serial number: `2026-01-05`, with its time if it has one; `14:30` if it has no day. Null for an invalid
 * one.
 */
export function dateText(serial: number, calendar: keyof typeof EPOCH): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > MAX_SERIAL) return null
  // Excel treats 1900 as a leap year.
  const days = calendar === 'from1900' && serial < 60 ? serial + 1 : serial
  const minutes = Math.round((days - EPOCH[calendar]) * 1440)
  const [day = '', time = ''] = new Date(minutes * (DAY / 1440)).toISOString().split('T')
  const clock = time.slice(0, 5)
  if (serial < 1) return clock
  return clock === '00:00' ? day : `${day} ${clock}`
}
