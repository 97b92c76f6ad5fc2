/** A moment of the API: `2026-01-31T23:59:59Z`, in some places `2026-01-31 23:59:59 UTC`. */
export function readMoment(time: string): Date {
  return new Date(time.replace(/^(\S+) (\S+) UTC$/, '$1T$2Z'))
}

const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const NEAR = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
])

/** `today 10:41`, `Nov 24` in this year, `2025-11-24` in another one, by the clock of this device. */
export function momentInWords(moment: Date, now: Date): string {
  const near = NEAR.get(dayOf(moment) - dayOf(now))
  if (near !== undefined) return `${near} ${moment.toLocaleTimeString('en-US', CLOCK)}`
  if (moment.getFullYear() !== now.getFullYear()) return moment.toLocaleDateString('sv-SE')
  return moment.toLocaleDateString('en-US', { month: 'short', day: 'numeric' })
}

/** `Dec 7, 2026`: the last day of a period that ends with a day in UTC. */
export function dayInWords(time: string): string {
  return readMoment(time).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** Day, month and year with the time, for a tooltip. */
export function wholeMoment(moment: Date): string {
  return `${moment.toLocaleDateString('sv-SE')} ${moment.toLocaleTimeString('en-US', { ...CLOCK, second: '2-digit' })}`
}

/** Number of the day; days have other lengths when clocks are changed. */
function dayOf(date: Date): number {
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000)
}
