import { pause } from "@/lib/pause";
/**
 * Callers that keep sending chat requests, plain and streamed, and record every complete answer.
 */

export interface Callers {
  /** Upstream answer ids, read from complete answers: the JSON body, or a stream up to `[DONE]`. */
  readonly completed: Set<string>;
  readonly interrupted: () => number;
  stop(): Promise<void>;
}

async function askOnce(url: string, apiKey: string, isStream: boolean): Promise<string | null> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "RelayV1",
      messages: [{ role: "user", content: "count" }],
      max_tokens: 100,
      stream: isStream,
    }),
  });
  const text = await answer.text();
  if (!answer.ok) return null;
  if (isStream && !text.endsWith("data: [DONE]\n\n")) return null;
  return /recorded-\d+/.exec(isStream ? joinDeltas(text) : text)?.[0] ?? null;
}

function joinDeltas(stream: string): string {
  return [...stream.matchAll(/^data: (\{.*\})$/gm)]
    .map(
      (match) =>
        (JSON.parse(match[1] ?? "{}") as { choices?: { delta?: { content?: string } }[] })
          .choices?.[0]?.delta?.content ?? "",
    )
    .join("");
}

/** Starts `count` callers that use the addresses in turn. Half of their requests are streams. */
export function startCallers(urls: readonly string[], apiKey: string, count: number): Callers {
  const completed = new Set<string>();
  let interrupted = 0;
  let isStopped = false;
  const one = async (index: number) => {
    for (let turn = index; !isStopped; turn++) {
      const id = await askOnce(urls[turn % urls.length] ?? "", apiKey, turn % 2 === 0).catch(
        () => null,
      );
      if (id === null) {
        interrupted++;
        await pause(20);
      } else completed.add(id);
    }
  };
  const all = Array.from({ length: count }, (_, index) => one(index));
  return {
    completed,
    interrupted: () => interrupted,
    stop: async () => {
      isStopped = true;
      await Promise.all(all);
    },
  };
}
