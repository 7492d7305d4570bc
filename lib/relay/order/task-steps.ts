/** The writes that move a task forward. Each one applies only from the state before it. */
import type { Channel } from "../../upstream/provider";
import type { TaskQuery } from "./task-row";

/**
 * Longer than a submit may take: a process that takes over a task whose lease has expired must give
 * it up.
 */
const SUBMIT_LEASE_SECONDS = 120;

export function taskSteps(query: TaskQuery, owner: string) {
  const changed = async (text: string, values: unknown[]) =>
    ((await query(text, values)).rowCount ?? 0) > 0;
  return {
    /**
     * Records the intent to submit, before the first byte leaves; `after` is the channel of an
     * attempt that certainly cost nothing. False when this process may not submit the task, when
     * another one has, or when a retry has taken over the request whose key is `claim`.
     */
    async noteIntent(
      id: string,
      channel: Channel,
      isSettled: boolean,
      after: Channel | null,
      claim: string | null = null,
    ): Promise<boolean> {
      return changed(
        `update video_task set submit_state = 'intent', submits = submits + 1, lease_until = now() + make_interval(secs => ${SUBMIT_LEASE_SECONDS}), channel_id = $3, channel_protocol = $4, channel_base_url = $5, channel_credential = $8
          where id = $1 and lease_owner = $2 and status in ('queued', 'running')
            and case when $6::text is null then submit_state = 'none' else submit_state = 'intent' and channel_id = $6 end
            and ($7::text is null or exists (select from idempotent_request r where r.account_id = video_task.account_id and r.key = $7
                                                and r.operation_id = video_task.operation_id))`,
        [
          id,
          owner,
          channel.id,
          isSettled ? channel.protocol : null,
          isSettled ? channel.baseUrl : null,
          after?.id ?? null,
          claim,
          channel.credential?.name ?? null,
        ],
      );
    },
    /**
     * Saves the upstream's id. Any process may poll the task from now on, unless its channel
     * belongs to this process only. False when the task had ended meanwhile.
     */
    async noteAccepted(
      id: string,
      upstreamRef: string,
      firstPollSeconds: number,
    ): Promise<boolean> {
      return changed(
        `update video_task set submit_state = 'accepted', upstream_ref = $2, next_poll_at = now() + make_interval(secs => $3),
                lease_until = case when channel_base_url is null then lease_until end,
                image_urls = '[]' where id = $1 and status = 'queued' and submit_state = 'intent'`,
        [id, upstreamRef, firstPollSeconds],
      );
    },
    async noteRunning(id: string): Promise<void> {
      await query(
        "update video_task set status = 'running', updated_at = now() where id = $1 and status = 'queued'",
        [id],
      );
    },
  };
}
