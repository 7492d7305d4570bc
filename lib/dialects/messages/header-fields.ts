/** The fields of a request that clients and upstreams of this API have as headers. */
import type { MessagesRequest } from "../../contract/messages";

export const headerNames = {
  user_profile_id: "anthropic-user-profile-id",
  workspace_id: "anthropic-workspace-id",
} as const;

/** The request with what its headers say. */
export function withHeaderFields(
  request: MessagesRequest,
  header: (name: string) => string | undefined,
): MessagesRequest {
  const named = Object.entries(headerNames).flatMap(([name, of]) => {
    const value = header(of);
    return value === undefined ? [] : [[name, value] as const];
  });
  return named.length === 0 ? request : { ...request, ...Object.fromEntries(named) };
}
