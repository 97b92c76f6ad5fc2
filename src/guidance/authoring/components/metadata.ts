/** Where a component's metadata says in which channel people talk of it. */
export const SLACK = 'Slack Channel ID'

type Metadata = Readonly<Record<string, string>>

/** What the request says of the channel by itself wins over its metadata. */
export function withSlack(metadata: Metadata, channel: string | null | undefined): Metadata {
  return channel == null ? metadata : { ...metadata, [SLACK]: channel }
}
