/** Wires what tells people, for one process. */
import type pg from "pg";
import type { MailServer } from "../accounts/mail";
import { callbackAgent, type Networks } from "../callbacks/callback-agent";
import type { Sender } from "../callbacks/keep-sending";
import type { Secrets } from "../secrets";
import { startFinder } from "./finder";
import { handOut } from "./hand-out";
import { startMailSender } from "./mail-sender";
import { startWebhookSender } from "./webhook-sender";

const TICK_MS = 2000;

interface Deps {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
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
  const { pool, secrets, mailServer, publicUrl, pause, onProblem } = deps;
  const dispatcher = callbackAgent(deps.networks);
  const common = { pool, onProblem, tickMs: TICK_MS };
  const senders: Sender[] = [startWebhookSender({ ...common, secrets, dispatcher, pause })];
  if (mailServer !== null)
    senders.push(startMailSender({ ...common, server: mailServer, origin: publicUrl }));
  const finder = startFinder(deps.databaseUrl, onProblem);
  let handing: Promise<void> | null = null;
  const timer = setInterval(() => {
    handing ??= handOut(pool, mailServer !== null)
      .catch(onProblem)
      .finally(() => {
        handing = null;
      });
  }, TICK_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await Promise.all([finder.close(), handing, ...senders.map((sender) => sender.close())]);
      await dispatcher.close();
    },
  };
}
