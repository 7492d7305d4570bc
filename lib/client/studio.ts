/** Quotes, video tasks and pictures as the relay's own endpoints give them to a signed-in page. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { mediaRows } from "../contract/playground-media";
import { ask, call, RequestError } from "./call";

const QUOTE_WAIT_MS = 350;

/** No price depends on what a picture shows, so its bytes are not sent for a quote. */
function withoutBytes(_: string, value: unknown): unknown {
  const start =
    typeof value === "string" ? /^data:image\/\w{1,20};base64,/.exec(value)?.[0] : undefined;
  return start === undefined ? value : `${start}${"A".repeat(16)}`;
}

/** What a body would hold and cost, asked once typing rests; null: nothing to ask yet. */
export function useQuote(endpoint: string, body: object | null) {
  const wanted = body === null ? null : JSON.stringify({ endpoint, ...body }, withoutBytes);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), QUOTE_WAIT_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const query = useQuery({
    queryKey: ["quote", asked],
    queryFn: ({ signal }) =>
      call(mediaRows.createQuote, { body: JSON.parse(asked ?? "{}"), signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isCurrent = asked === wanted && !query.isPlaceholderData && wanted !== null;
  return {
    quote: wanted === null ? undefined : query.data,
    error: isCurrent ? query.error : null,
    isCurrent: isCurrent && query.isSuccess,
  };
}

export function useOrderVideo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (bodies: readonly object[]) => {
      const ids: string[] = [];
      // One after the other: of two that are refused, the second is not sent.
      for (const body of bodies) ids.push((await call(mediaRows.createVideoTask, { body })).id);
      return ids;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["tasks"] }),
  });
}

interface MadeImage {
  /** By it the image stands in the list. */
  requestId: string;
}

async function makeImage(body: object): Promise<MadeImage> {
  const response = await ask(mediaRows.createImage, { body });
  const requestId = response.headers.get("x-request-id") ?? "";
  const parsed = mediaRows.createImage.answer.safeParse(await response.json().catch(() => null));
  const [image] = parsed.data?.data ?? [];
  if (!image?.url)
    throw new RequestError(
      response.status,
      "unreadable",
      "The answer was not understood.",
      null,
      requestId,
    );
  return { requestId };
}

export function useMakeImage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: makeImage,
    onSettled: () => client.invalidateQueries({ queryKey: ["tasks"] }),
  });
}
