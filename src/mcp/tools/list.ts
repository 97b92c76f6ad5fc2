import { coverage, sparql } from './answers.ts'
import { describe, related, search } from './records.ts'
import { advice, changes, rule } from './rules.ts'
import type { Tool } from './tool.ts'

export const TOOLS: readonly Tool[] = [search, describe, rule, related, coverage, changes, advice, sparql]
