import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { RequestError } from "@/lib/client/call";
import type { ImageSettings } from "@/lib/client/image-settings";
import { useMakeImage } from "@/lib/client/studio";
import type { TaskView } from "@/lib/contract/tasks";

interface Order {
  id: number;
  settings: ImageSettings;
}
interface Refused extends Order {
  error: Error;
}

/** After this time the image's points are held and it is in the list. */
const LISTED_AFTER_MS = 600;

/**
 * Images in progress from this page, several at once. Each is shown here until the list contains
 * it. `listed` are the images of the list; each one that appeared since the first order was sent
 * replaces one of these.
 */
export function useImageOrders(listed: readonly TaskView[]) {
  const client = useQueryClient();
  const { mutateAsync } = useMakeImage();
  const [orders, setOrders] = useState<readonly (Order | Refused)[]>([]);
  const [batch, setBatch] = useState<{ before: ReadonlySet<string>; size: number } | null>(null);
  const nextId = useRef(1);
  const known = useRef(new Set<string>());
  const waiting = orders.filter((order) => !("error" in order));
  if (waiting.length === 0) known.current = new Set(listed.map(({ id }) => id));
  const arrived = listed.filter(({ id }) => !known.current.has(id)).length;

  function sendOne(body: object, settings: ImageSettings): void {
    const id = nextId.current++;
    setOrders((all) => [{ id, settings }, ...all]);
    mutateAsync(body).then(
      ({ requestId }) => {
        known.current.add(requestId);
        setOrders((all) => all.filter((order) => order.id !== id));
      },
      (error: Error) =>
        setOrders((all) => all.map((order) => (order.id === id ? { ...order, error } : order))),
    );
  }

  function send(bodies: readonly object[], settings: ImageSettings): void {
    setBatch({ before: new Set(listed.map(({ id }) => id)), size: bodies.length });
    // Refusals of earlier batches.
    setOrders((all) => all.filter((order) => !("error" in order)));
    for (const body of bodies) sendOne(body, settings);
    setTimeout(() => void client.invalidateQueries({ queryKey: ["tasks"] }), LISTED_AFTER_MS);
  }

  const refused = orders.filter((order): order is Refused => "error" in order);
  const isListed = ({ error }: Refused) =>
    error instanceof RequestError && listed.some((task) => task.id === error.requestId);
  const made =
    batch === null ? [] : listed.filter(({ id }) => !batch.before.has(id)).slice(0, batch.size);
  return {
    send,
    waiting: waiting.slice(0, Math.max(0, waiting.length - arrived)),
    refused: refused.filter((order) => !isListed(order)),
    dismiss: (id: number) => setOrders((all) => all.filter((order) => order.id !== id)),
    /** The images of the last batch; null after another image was chosen. */
    batch: batch === null || made.length + orders.length === 0 ? null : made,
    endBatch: () => setBatch(null),
  };
}
