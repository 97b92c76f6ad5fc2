import { z } from 'zod'
import { idValue, optionalText } from '../../../http/input.ts'

const MAX_RULES = 1000

/** The ids of the rules to change. */
export const ruleIds = z
  .array(idValue, 'Rule ids must be a list of numbers')
  .min(1, "Rule ids can't be blank")
  .max(MAX_RULES, `There are more than ${MAX_RULES} rules`)

/** The reason, for the audit trail. */
export const comment = optionalText('Comment', { max: 4000 }).optional()
