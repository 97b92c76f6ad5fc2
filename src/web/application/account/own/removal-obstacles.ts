/** The reasons why an account cannot be deleted. */
export interface RemovalObstacles {
  readonly last_site_admin: boolean
  readonly only_admin_of: readonly { readonly id: number; readonly name: string }[]
}

/** Whether the service would refuse to remove the account now. */
export function isRemovalRefused({ last_site_admin, only_admin_of }: RemovalObstacles): boolean {
  return last_site_admin || only_admin_of.length > 0
}
