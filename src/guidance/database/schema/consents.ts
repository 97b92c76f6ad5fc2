/** Who has accepted which version of the terms of use, and when first. */
export interface ConsentsTable {
  user_id: number
  version: number
  accepted_at: string
}
