/** The key of the component's channel in its metadata. */
export const SLACK_KEY = 'Slack Channel ID'

type Metadata = Readonly<Record<string, string>>

/** A channel in the request takes precedence over the metadata. */
export function withSlackChannel(metadata: Metadata, channel: string | null | undefined): Metadata {
  return channel == null ? metadata : { ...metadata, [SLACK_KEY]: channel }
}
