import type { AuditFields } from "../accounts/actions";
import type { ChannelView } from "../channels/stored-channels";

/** The fields of a channel that a record contains: all but the credential. */
export const toldChannel = ({
  name,
  baseUrl,
  models,
  credentialSetAt,
  state,
  ...rest
}: ChannelView): AuditFields => ({
  name,
  baseUrl,
  models,
  state,
  credentialSetAt: credentialSetAt?.toISOString() ?? null,
  credentialWeight: rest.credentialWeight,
  credentials: Object.fromEntries(
    rest.credentials.map(({ name: each, weight, setAt }) => [each, `${weight}, ${setAt}`]),
  ),
  headers: rest.headers,
  proxy: rest.proxy,
  requestsPerSecond: rest.requestsPerSecond,
  requestsPerMinute: rest.requestsPerMinute,
  priority: rest.priority,
  weight: rest.weight,
  timeoutSeconds: rest.timeoutSeconds,
  allowedFields: [...rest.allowedFields],
  outputCap: rest.outputCap,
  streams: rest.streams,
});
