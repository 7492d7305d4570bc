/** A served composition with a management key of its account, new for each test of a file. */
import { afterEach, beforeEach } from "vitest";
import { opened } from "../unit/opened";
import { askAt, type Manager, newManager, newStranger } from "./managers";
import { serveComposition } from "./served-composition";

interface Sent {
  /** Another key than that of the test. */
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

/** Call it at the top of a test file. `manager` is set once the tests run. */
export async function managedSite() {
  const composed = await opened(serveComposition());
  /** The key of another account. */
  const stranger = await newStranger(composed);
  let manager: Manager;
  // Each test has the requests of a minute.
  beforeEach(async () => {
    manager = await newManager(composed, composed.accountId);
  });
  afterEach(() =>
    composed.database.managementKey.updateMany({
      where: { accountId: composed.accountId, revokedAt: null },
      data: { revokedAt: new Date() },
    }),
  );

  const ask = (method: string, path: string, body?: object, { key, headers }: Sent = {}) =>
    askAt(composed, key ?? manager.secret, method, path, body, headers);
  const create = (body: object = {}, sent: Sent = {}) =>
    ask("POST", "/v1/keys", { name: "one", ...body }, sent);
  return {
    ask,
    create,
    composed,
    stranger,
    get manager() {
      return manager;
    },
  };
}
