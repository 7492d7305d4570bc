/** Wires what tells people, for one process. */
import type pg from "pg";
import type { MailServer } from "../accounts/mail";
import { callbackAgent, type Networks } from "../callbacks/callback-agent";
import type { Sender } from "../callbacks/keep-sending";
import type { Secrets } from "../crypto/secrets";
import type { Changes } from "../db/changes";
import { startWorker, type WakeableWorker } from "../timing/worker";
import { startFinder } from "./finder";
import { handOut } from "./hand-out";
import { startMailSender } from "./mail-sender";
import { startWebhookSender } from "./webhook-sender";

const TICK_MS = 5000;

interface Deps {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly changes: Changes;
  readonly secrets: Secrets;
  readonly networks: Networks;
  readonly publicUrl: string;
  /** Null where mail is not set up. */
  readonly mailServer: MailServer | null;
  readonly pause: (endpointId: string) => Promise<void>;
  readonly onProblem: (error: unknown) => void;
}

/** Finds, hands out and sends as long as the process runs. */
export function openNotifications(deps: Deps): { close(): Promise<void> } {
  const { pool, changes, secrets, mailServer, publicUrl, pause, onProblem } = deps;
  const dispatcher = callbackAgent(deps.networks);
  const common = { pool, onProblem, tickMs: TICK_MS };
  const senders: Sender[] = [startWebhookSender({ ...common, secrets, dispatcher, pause })];
  if (mailServer !== null)
    senders.push(startMailSender({ ...common, server: mailServer, origin: publicUrl }));
  const finder = startFinder(deps.databaseUrl, onProblem);
  const handing = startWorker({
    async turn() {
      if (await handOut(pool, mailServer !== null)) for (const sender of senders) sender.wake();
      return TICK_MS;
    },
    afterFailureMs: TICK_MS,
    onProblem,
  });
  const whenNew = (table: string, rousable: WakeableWorker | undefined) =>
    changes.subscribe(table, (id) => {
      if (id !== null) rousable?.wake();
    });
  const unsubscribes = [whenNew("notification", handing), whenNew("webhook_delivery", senders[0])];
  return {
    async close() {
      for (const unsubscribe of unsubscribes) unsubscribe();
      await Promise.all([finder, handing, ...senders].map((running) => running.close()));
      await dispatcher.close();
    },
  };
}
