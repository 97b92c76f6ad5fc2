import { notMergeable } from '../refusals.ts'

export interface TarMember {
  readonly path: string
  readonly content: Uint8Array
}

const BLOCK = 512

/** The selected files of a tar archive (POSIX.1-2001), also with long names as GNU tar and pax write them. */
export function tarMembers(tar: Buffer, isWanted: (path: string) => boolean): readonly TarMember[] {
  const members: TarMember[] = []
  let longName: string | null = null
  for (const { header, type, content } of entriesOf(tar)) {
    if (type === 'L') longName = textIn(content)
    else if (type === 'x') longName = paxPath(content) ?? longName
    else if (!'gK'.includes(type)) {
      const path = longName ?? nameIn(header)
      longName = null
      if ('0\0'.includes(type) && isWanted(path)) members.push({ path, content })
    }
  }
  return members
}

interface TarEntry {
  readonly header: Buffer
  /** `0` for a file; `L` and `x` for the long name of the next file. */
  readonly type: string
  readonly content: Buffer
}

function* entriesOf(tar: Buffer): Generator<TarEntry, void> {
  for (let offset = 0; offset + BLOCK <= tar.length;) {
    const header = tar.subarray(offset, offset + BLOCK)
    if (header.every((byte) => byte === 0)) return
    const size = sizeIn(header)
    const content = tar.subarray(offset + BLOCK, offset + BLOCK + size)
    if (content.length < size) throw damaged('it was cut off')
    yield { header, type: header.toString('latin1', 156, 157), content }
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

function sizeIn(header: Buffer): number {
  if (!isChecked(header)) throw damaged('it is no tar archive')
  const size = textIn(header.subarray(124, 136)).trim()
  // Larger sizes have another form, but no profile has files of that size.
  if (!/^[0-7]+$/.test(size)) throw damaged('a file in it has no size')
  return Number.parseInt(size, 8)
}

/** Whether the sum of the header's bytes is right. The field of the sum counts as blanks. */
function isChecked(header: Buffer): boolean {
  let sum = 8 * 0x20
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte
  return Number.parseInt(textIn(header.subarray(148, 156)).trim(), 8) === sum
}

function nameIn(header: Buffer): string {
  const name = textIn(header.subarray(0, 100))
  const isPosix = header.toString('latin1', 257, 262) === 'ustar'
  const prefix = isPosix ? textIn(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Finds the path among properties such as `34 path=controls/SV-257777.rb`, one on each line. */
function paxPath(content: Uint8Array): string | null {
  return /^\d+ path=([^\n]*)$/m.exec(textIn(content))?.[1] ?? null
}

/** The text before the first zero byte. */
function textIn(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString()
}

function damaged(reason: string): Error {
  return notMergeable(`The file is damaged: ${reason}.`)
}
