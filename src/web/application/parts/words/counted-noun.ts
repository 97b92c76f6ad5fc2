/** A number with its noun: `countedNoun(2000, 'reply', 'replies')` is "2,000 replies". */
export function countedNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`
}

/** The first of many sentences, and the number of the others. */
export function beginningOf(sentences: readonly string[], most: number): string {
  const remaining = sentences.length - most
  return [...sentences.slice(0, most), ...(remaining > 0 ? [`And ${remaining} more like that.`] : [])].join(' ')
}

/** A sentence with a full stop, so that another one can follow. */
export function endSentence(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}

const MEGABYTE = 1_000_000

/** A size for comparison with a limit: `50 MB`, and `50.1 MB` if it is a little more. */
export function inMegabytes(bytes: number): string {
  return `${Math.ceil((bytes * 10) / MEGABYTE) / 10} MB`
}
