import { foldText } from '../../../../platform/characters.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { STATUSES } from '../../../../tables/statuses.ts'
import { MAX_PER_RULE } from '../../../authoring/attachments/types.ts'
import type { ArchivedComponent } from './archive.ts'
import type { ReviewRecord } from './schemas.ts'

/** Refuses a component whose files contradict each other, and names the place. */
export function checkReferences(archived: ArchivedComponent, folder: string): void {
  checkRules(archived, `${folder}rules.json`)
  checkSatisfactions(archived, `${folder}satisfactions.json`)
  checkReviews(archived, `${folder}reviews.json`)
  checkAttachments(archived, `${folder}attachments.json`)
  checkMilestones(archived, `${folder}milestones.json`)
}

function refuseAt(file: string, index: number, reason: string): Refusal {
  return new Refusal('archive_unusable', `${file} at [${index}]: ${reason}.`)
}

/** Checks numbers, answers, and that statuses fit the kind of the component. */
function checkRules({ component, rules }: ArchivedComponent, file: string): void {
  const questions = new Set<string>()
  for (const { name } of component.additional_questions) {
    if (questions.has(name))
      throw new Refusal('archive_unusable', `Two questions of ${component.name} have the same name.`)
    questions.add(name)
  }
  const numbers = new Set<number>()
  const statuses = new Set<string>(Object.values(STATUSES[component.document_type]))
  for (const [index, rule] of rules.entries()) {
    if (numbers.has(Number(rule.rule_id))) throw refuseAt(file, index, 'rule_id occurs twice')
    numbers.add(Number(rule.rule_id))
    if (!statuses.has(rule.status)) throw refuseAt(file, index, `status cannot be ${rule.status}`)
    const answered = rule.additional_answers.map(({ question_name }) => question_name ?? '')
    if (new Set(answered).size < answered.length || answered.some((name) => !questions.has(name)))
      throw refuseAt(file, index, 'additional_answers do not fit the questions')
  }
}

function checkSatisfactions({ rules, satisfactions }: ArchivedComponent, file: string): void {
  const numbers = new Set(rules.map(({ rule_id }) => Number(rule_id)))
  const pairs = new Set<string>()
  for (const [index, { rule_id, satisfied_by_rule_id }] of satisfactions.entries()) {
    const [child, parent] = [Number(rule_id), Number(satisfied_by_rule_id)]
    if (!numbers.has(child) || !numbers.has(parent) || child === parent)
      throw refuseAt(file, index, 'the rules are not two of rules.json')
    if (pairs.has(`${child} ${parent}`)) throw refuseAt(file, index, 'the pair occurs twice')
    pairs.add(`${child} ${parent}`)
  }
}

function checkReviews({ rules, reviews }: ArchivedComponent, file: string): void {
  const numbers = new Set(rules.map(({ rule_id }) => Number(rule_id)))
  const byId = new Map(reviews.map((review) => [review.external_id, review]))
  if (byId.size < reviews.length) throw refuseAt(file, 0, 'an external_id occurs twice')
  for (const [index, review] of reviews.entries()) {
    const named = [review.rule_id, review.addressed_by_rule_id]
    if (named.some((number) => number !== null && !numbers.has(Number(number))))
      throw refuseAt(file, index, 'a rule that it names is not in rules.json')
    const reason = faultOfLinks(review, byId)
    if (reason !== null) throw refuseAt(file, index, reason)
  }
}

function checkAttachments({ rules, attachments }: ArchivedComponent, file: string): void {
  const numbers = new Set(rules.map(({ rule_id }) => Number(rule_id)))
  const files = new Set<string>()
  const counts = new Map<number, number>()
  for (const [index, { rule_id, file: name }] of attachments.entries()) {
    const number = Number(rule_id)
    if (!numbers.has(number)) throw refuseAt(file, index, 'the rule is not in rules.json')
    if (files.has(name)) throw refuseAt(file, index, 'the file occurs twice')
    files.add(name)
    const count = (counts.get(number) ?? 0) + 1
    if (count > MAX_PER_RULE) throw refuseAt(file, index, `a rule has at most ${MAX_PER_RULE} attachments`)
    counts.set(number, count)
  }
}

function checkMilestones({ milestones }: ArchivedComponent, file: string): void {
  const usedKeys = new Set<string>()
  for (const [index, milestone] of milestones.entries()) {
    const fileKeys = milestone.file === null ? [] : [`file ${milestone.file}`]
    for (const key of [`name ${foldText(milestone.name)}`, ...fileKeys]) {
      if (usedKeys.has(key)) throw refuseAt(file, index, `the ${key.slice(0, 4)} occurs twice`)
      usedKeys.add(key)
    }
  }
}

/**
 * The fault in a review's links: replies must answer a top-level comment, and a duplicate must refer to another review.
 */
function faultOfLinks(review: ReviewRecord, byId: ReadonlyMap<number, ReviewRecord>): string | null {
  const { responding_to_external_id: parentId, duplicate_of_external_id: otherId } = review
  if (otherId !== null && (otherId === review.external_id || !byId.has(otherId)))
    return 'duplicate_of_external_id is not another review'
  if (parentId === null) return null
  const parent = byId.get(parentId)
  if (parent?.responding_to_external_id !== null) return 'responding_to_external_id is not a top-level review'
  return review.triage_status === null ? null : 'a reply cannot have a triage_status'
}
