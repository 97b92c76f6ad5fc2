import type { AuthoredRule } from '../rules/reader.ts'
import type { DeciderGrant } from './access.ts'
import type { Target } from './faults.ts'
import type { OpenRelocation } from './record.ts'

/** A proposal that can be decided. */
export interface Open {
  readonly relocation: OpenRelocation
  readonly target: Target
}

/** A proposal that is accepted: the requirement as it was, and what came of it in its new component. */
export interface Landing extends Open {
  readonly source: AuthoredRule
  readonly landed: AuthoredRule
  readonly grant: DeciderGrant
}
