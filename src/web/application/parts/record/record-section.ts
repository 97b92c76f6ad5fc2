/** A section of the text of a record's page, by its `id` there. */
export interface RecordSection {
  readonly id: string
  readonly name: string
  /** Number of its records; undefined if it is not known. */
  readonly count?: number
}
