/** Who has a component open in a window, and which rule there; no longer true a while after `seen_at`. */
export interface PresencesTable {
  user_id: number
  /** What the window calls itself. */
  window: string
  component_id: number
  rule_id: number | null
  seen_at: string
}
