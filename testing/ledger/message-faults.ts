/** What may happen to one message between the ledger and the database. */
import type { Scene, Verb } from "./ledger-verbs";
import { connect } from "./test-ledger";

export type Heal = () => Promise<void>;

/** Finds the verb's request. A prepared statement is sent by its name; the request carries the account. */
export const requestOf =
  ({ mark, by }: Verb, { accountId }: Scene["account"]) =>
  (bytes: Buffer) =>
    bytes.includes(mark) && (by !== "writer" || bytes.includes(accountId));

/** Watches for the verb's request and for its answer, each once. */
export function watchFor(verb: Verb, { account }: Scene) {
  const { mark } = verb;
  const isRequest = requestOf(verb, account);
  let requests = 0;
  let answers = 0;
  let isSent = false;
  return {
    /** Its statement, as the database shows it. */
    mark,
    firstRequest: (bytes: Buffer) => isRequest(bytes) && ++requests === 1,
    note: (bytes: Buffer) => {
      isSent ||= isRequest(bytes);
      return false;
    },
    firstAnswer: (bytes: Buffer) => isSent && bytes.includes("SELECT 1") && ++answers === 1,
    hits: () => requests + answers,
  };
}
type Watch = ReturnType<typeof watchFor>;

/** Locks the wallet when the request comes, ends the connection that waits for it, and unlocks. */
function terminateInTheMiddle({ mark, firstRequest }: Watch, scene: Scene): Heal {
  const { url, client, proxy, account } = scene;
  let terminating = Promise.resolve();
  const lock = async () => {
    const blocker = await connect(url);
    const { rows } = await blocker.query<{ pid: number }>("select pg_backend_pid() as pid");
    await blocker.query("begin");
    await blocker.query("select from wallet where account_id = $1 for update", [account.accountId]);
    terminating = (async () => {
      let ended = 0;
      while (ended === 0) {
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
             and application_name = 'relay-ledger' and query like $1 and $2 = any(pg_blocking_pids(pid))`,
          [`%${mark}%`, rows[0]?.pid],
        );
        ended = rowCount ?? 0;
      }
      await blocker.query("rollback");
      await blocker.end();
    })();
  };
  proxy.delaysRequest = (bytes) => (firstRequest(bytes) ? lock() : null);
  return () => terminating;
}

function later(): { readonly when: Promise<void>; readonly go: () => void } {
  let go = () => {};
  const when = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { when, go };
}

export type Fault = (watch: Watch, scene: Scene) => Heal | null;

/** Each returns what ends what it still does, if anything. */
export const faults: Readonly<Record<string, Fault>> = {
  "whose request is lost with its connection": ({ firstRequest }, { proxy }) => {
    proxy.cutsRequest = firstRequest;
    return null;
  },
  "whose request is lost on a connection that stays": ({ firstRequest }, { proxy }) => {
    proxy.dropsRequest = firstRequest;
    return null;
  },
  "whose request arrives after it was sent again": ({ firstRequest }, { proxy }) => {
    const { when, go } = later();
    proxy.delaysRequest = (bytes) => (firstRequest(bytes) ? when : null);
    return async () => go();
  },
  "whose request arrives twice": ({ firstRequest }, { proxy }) => {
    proxy.doublesRequest = firstRequest;
    return null;
  },
  "whose transaction is ended before its commit": terminateInTheMiddle,
  "whose answer is lost with its connection": ({ note, firstAnswer }, { proxy }) => {
    proxy.cutsRequest = note;
    proxy.cutsAnswer = firstAnswer;
    return null;
  },
  "whose answer is lost on a connection that stays": ({ note, firstAnswer }, { proxy }) => {
    proxy.cutsRequest = note;
    proxy.dropsAnswer = firstAnswer;
    return null;
  },
  "whose answer arrives late": ({ note, firstAnswer }, { proxy }) => {
    proxy.cutsRequest = note;
    proxy.delaysAnswer = (bytes) =>
      firstAnswer(bytes) ? new Promise((resolve) => setTimeout(resolve, 150)) : null;
    return null;
  },
  "whose answer arrives after it was sent again": ({ note, firstAnswer }, { proxy }) => {
    const { when, go } = later();
    proxy.cutsRequest = note;
    proxy.delaysAnswer = (bytes) => (firstAnswer(bytes) ? when : null);
    return async () => go();
  },
  "whose answer arrives twice at once": ({ note, firstAnswer }, { proxy }) => {
    proxy.cutsRequest = note;
    proxy.repeatsAnswer = (bytes) => (firstAnswer(bytes) ? "at once" : null);
    return null;
  },
  "whose answer arrives again instead of the next": ({ note, firstAnswer }, { proxy }) => {
    proxy.cutsRequest = note;
    proxy.repeatsAnswer = (bytes) => (firstAnswer(bytes) ? "before the next" : null);
    return null;
  },
};
