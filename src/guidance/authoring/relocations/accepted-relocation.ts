import type { AuthoredRule } from '../rules/reader.ts'
import type { DeciderGrant } from './access.ts'
import type { TargetComponent } from './faults.ts'
import type { OpenRelocation } from './record.ts'

/** A proposal that can be decided on. */
export interface DecidableRelocation {
  readonly relocation: OpenRelocation
  readonly target: TargetComponent
}

/** An accepted proposal, with the requirement before the move and its new rule. */
export interface AcceptedRelocation extends DecidableRelocation {
  readonly source: AuthoredRule
  readonly newRule: AuthoredRule
  readonly grant: DeciderGrant
}
