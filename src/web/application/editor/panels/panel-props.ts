import type { Component } from '../../client/authoring.ts'
import type { Person } from '../../client/person.ts'
import type { Rule } from '../rule/queries.ts'
import type { OpenRule } from '../rule/use-rule.ts'
import type { RuleForm } from '../rule/values.ts'

export interface PanelProps {
  readonly rule: Rule
  readonly component: Component
  readonly form: RuleForm
  readonly person: Person
  readonly opened: OpenRule
}
