import { notMergeable } from '../refusals.ts'

export interface TarMember {
  readonly path: string
  readonly content: Uint8Array
}

const BLOCK = 512

/** The files of a tar archive (POSIX.1-2001) that are wanted, also with the long names of GNU tar and of pax. */
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
  /** `0`: a file; `L`, `x`: the long name of the next one. */
  readonly type: string
  readonly content: Buffer
}

function* entriesOf(tar: Buffer): Generator<TarEntry, void> {
  for (let at = 0; at + BLOCK <= tar.length;) {
    const header = tar.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) return
    const size = sizeIn(header)
    const content = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (content.length < size) throw damaged('it was cut off')
    yield { header, type: header.toString('latin1', 156, 157), content }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

function sizeIn(header: Buffer): number {
  if (!isChecked(header)) throw damaged('it is no tar archive')
  const size = textIn(header.subarray(124, 136)).trim()
  // Larger sizes are written in another way, but no profile has such files.
  if (!/^[0-7]+$/.test(size)) throw damaged('a file in it has no size')
  return Number.parseInt(size, 8)
}

/** The sum of the bytes of the header, with blanks in place of the sum. */
function isChecked(header: Buffer): boolean {
  let sum = 8 * 0x20
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return Number.parseInt(textIn(header.subarray(148, 156)).trim(), 8) === sum
}

function nameIn(header: Buffer): string {
  const name = textIn(header.subarray(0, 100))
  const isPosix = header.toString('latin1', 257, 262) === 'ustar'
  const prefix = isPosix ? textIn(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** `34 path=controls/SV-257777.rb`, a line for each property. */
function paxPath(content: Uint8Array): string | null {
  return /^\d+ path=([^\n]*)$/m.exec(textIn(content))?.[1] ?? null
}

/** The text before the first zero. */
function textIn(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString()
}

function damaged(reason: string): Error {
  return notMergeable(`The file is damaged: ${reason}.`)
}
