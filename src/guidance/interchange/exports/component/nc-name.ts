/**
 * Letters and digits that all editions of XML 1.0 allow in a name (2nd to 5th, appendix B and §2.3), because
 * validators use different ones. Without combining marks and letters of rarer scripts.
 */
const LETTERS = [
  'A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u0131\\u0134-\\u013e\\u0141-\\u0148\\u014a-\\u017e',
  '\\u0180-\\u01c3\\u01cd-\\u01f0\\u01f4\\u01f5\\u01fa-\\u0217\\u0250-\\u02a8',
  '\\u0386\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ce',
  '\\u0401-\\u040c\\u040e-\\u044f\\u0451-\\u045c\\u045e-\\u0481\\u0490-\\u04c4',
  '\\u0531-\\u0556\\u0561-\\u0586\\u05d0-\\u05ea\\u0621-\\u063a\\u0641-\\u064a\\u0671-\\u06b7',
  '\\u0905-\\u0939\\u0e01-\\u0e2e\\u10d0-\\u10f6\\u1e00-\\u1e9b\\u1ea0-\\u1ef9',
  '\\u3041-\\u3094\\u30a1-\\u30fa\\u4e00-\\u9fa5\\uac00-\\ud7a3',
].join('')

const DIGITS = '0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f'

const INVALID_CHARACTERS = new RegExp(`[^${LETTERS}${DIGITS}._-]+`, 'g')
const VALID_START = new RegExp(`^[${LETTERS}_]`)

/**
 * A name as an `xsd:NCName`: normalised (NFKC, `µ` becomes its letter), with `_` for characters that no id can
 * have, and before those that it cannot begin with.
 */
export function ncNameOf(name: string): string {
  const id = name.normalize('NFKC').trim().replaceAll(INVALID_CHARACTERS, '_')
  return VALID_START.test(id) ? id : `_${id}`
}
