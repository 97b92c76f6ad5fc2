import { wordsOf } from '../../platform/words.ts'

/** Words that every benchmark has in its name. */
const GENERIC = new Set(
  wordsOf(
    'security technical implementation requirements guide STIG SRG manual benchmark SCAP the for and of current version',
  ),
)
/** `RHEL_9_STIG` → rhel, 9; `Microsoft Windows Server 2022 …` → microsoft, window, server, 2022. */
export function productWords(name: string): readonly string[] {
  const apart = name.replace(/(\p{L})(?=\d)/gu, '$1 ')
  return [...new Set(wordsOf(apart))].filter((word) => !GENERIC.has(word) && !/^v\d/.test(word))
}
