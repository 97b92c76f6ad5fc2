import { releaseOf } from '../component/identifiers.ts'

/** Characters of a name, which goes into a header and, with more after it, into a folder name. */
const MAX_STEM = 100

interface NumberedComponent {
  readonly name: string
  readonly prefix: string
  readonly version: number | null
  readonly release: number | null
}

/** `Red-Pot-9-V1R2`: the file name of a component. */
export function stemOf(component: NumberedComponent): string {
  return `${plain(component.name)}-${numbersOf(component)}`
}

/** `TEAP-00-V1R2`: its name among others in a zip. */
export function shortStemOf(component: NumberedComponent): string {
  return `${component.prefix}-${numbersOf(component)}`
}

/** Only characters that all file systems allow. */
export function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{Nd}._]+/gu, '-').slice(0, MAX_STEM)
}

function numbersOf(component: NumberedComponent): string {
  const { version, release } = releaseOf({ component })
  return `V${version}R${release}`
}
