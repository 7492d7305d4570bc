/** A worker's connection to the primary process. */
import cluster from "node:cluster";
import { EventEmitter } from "node:events";
import type { FromPrimary, FromWorker } from "./messages";

type Kind = FromPrimary["kind"];
type MessageOf<Of extends Kind> = Extract<FromPrimary, { readonly kind: Of }>;

export interface ClusterLink {
  /** Resolves when the message was handed over. */
  tell(message: FromWorker): Promise<void>;
  /** Calls `listener` for each message of this kind. */
  on<Of extends Kind>(kind: Of, listener: (message: MessageOf<Of>) => void): void;
  /** Resolves when the primary process is gone. */
  readonly lost: Promise<void>;
}

function openLink(): ClusterLink {
  const lost = new Promise<void>((resolve) => process.once("disconnect", () => resolve()));
  /** Node warns of a leak when a process has more than ten listeners of its own. */
  const messages = new EventEmitter().setMaxListeners(0);
  const pass = (message: FromPrimary) => void messages.emit(message.kind, message);
  return {
    tell: (message) =>
      new Promise((resolve) => {
        // A message that can no longer be sent is not needed: the primary is gone.
        if (!process.connected || process.send === undefined) resolve();
        else process.send(message, undefined, undefined, () => resolve());
      }),
    on: (kind, listener) => {
      // Node keeps what comes before there is a listener.
      if (messages.eventNames().length === 0) process.on("message", pass);
      messages.on(kind, listener);
    },
    lost,
  };
}

let link: ClusterLink | undefined;

/** Null in a process that serves alone. */
export function clusterLink(): ClusterLink | null {
  if (!cluster.isWorker) return null;
  link ??= openLink();
  return link;
}
