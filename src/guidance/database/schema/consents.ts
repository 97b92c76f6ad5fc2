/** A user has accepted a version of the terms of use; the time is that of the first acceptance. */
export interface ConsentsTable {
  user_id: number
  version: number
  accepted_at: string
}
