/** Quotes, video tasks and images, from the relay's own endpoints, for signed-in pages. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { mediaRows } from "../contract/playground-media";
import { ask, call, RequestError } from "./call";
import { useMay } from "./shown-account";

const QUOTE_WAIT_MS = 350;

/** Drops image bytes from a body to be quoted: no price depends on them. */
function withoutBytes(_: string, value: unknown): unknown {
  const start =
    typeof value === "string" ? /^data:image\/\w{1,20};base64,/.exec(value)?.[0] : undefined;
  return start === undefined ? value : `${start}${"A".repeat(16)}`;
}

const suspended = new RequestError(403, "account_suspended", "The account is suspended.");

/**
 * The hold and the cost of a body, requested when typing pauses; null disables the query. While the
 * account is suspended, the refusal.
 */
export function useQuote(endpoint: string, body: object | null) {
  const orders = useMay("order");
  const wanted =
    body === null || !orders ? null : JSON.stringify({ endpoint, ...body }, withoutBytes);
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
    error: !orders ? suspended : isCurrent ? query.error : null,
    isCurrent: isCurrent && query.isSuccess,
  };
}

export function useOrderVideo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (bodies: readonly object[]) => {
      const ids: string[] = [];
      // In order, so that a refusal of the first keeps the second from being sent.
      for (const body of bodies) ids.push((await call(mediaRows.createVideoTask, { body })).id);
      return ids;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["tasks"] }),
  });
}

interface MadeImage {
  /** The image's id in the list of tasks. */
  requestId: string;
}

async function makeImage(body: object): Promise<MadeImage> {
  const response = await ask(mediaRows.createImage, { body });
  const requestId = response.headers.get("x-request-id") ?? "";
  const parsed = mediaRows.createImage.answer.safeParse(await response.json().catch(() => null));
  // Of several, some may be missing.
  if (!parsed.data?.data.some(({ url }) => url))
    throw new RequestError(
      response.status,
      "unreadable",
      "The answer is invalid.",
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
