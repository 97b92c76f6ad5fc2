import type { AuthoredRule } from '../rules/reader.ts'
import type { DeciderGrant } from './access.ts'
import type { TargetComponent } from './faults.ts'
import type { OpenRelocation } from './record.ts'

/** A proposal that can be decided. */
export interface DecidableRelocation {
  readonly relocation: OpenRelocation
  readonly target: TargetComponent
}

/** A proposal that is accepted: the requirement as it was, and what came of it in its new component. */
export interface AcceptedRelocation extends DecidableRelocation {
  readonly source: AuthoredRule
  readonly landed: AuthoredRule
  readonly grant: DeciderGrant
}
