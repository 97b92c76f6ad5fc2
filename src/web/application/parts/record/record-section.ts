/** A section of the text of a record's page, by its `id` there. */
export interface RecordSection {
  readonly id: string
  readonly name: string
  /** How many records it has; left out where that is not known. */
  readonly count?: number
}
