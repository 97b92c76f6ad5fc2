import { releaseOf } from '../component/identifiers.ts'

/** The length of a name. It becomes part of a header and of a folder name, with more text after it. */
const MAX_STEM = 100

interface NumberedComponent {
  readonly name: string
  readonly prefix: string
  readonly version: number | null
  readonly release: number | null
}

/** `Red-Pot-9-V1R2`: the name of a component's file. */
export function stemOf(component: NumberedComponent): string {
  return `${plain(component.name)}-${numbersOf(component)}`
}

/** `TEAP-00-V1R2`: the name of a component's file in a zip. */
export function shortStemOf(component: NumberedComponent): string {
  return `${component.prefix}-${numbersOf(component)}`
}

/** Keeps only characters that all file systems allow. */
export function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{Nd}._]+/gu, '-').slice(0, MAX_STEM)
}

function numbersOf(component: NumberedComponent): string {
  const { version, release } = releaseOf({ component })
  return `V${version}R${release}`
}
