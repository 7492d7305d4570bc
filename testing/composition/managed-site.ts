/** A served composition with a management key of its account, new for each test of a file. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { askAt, type Manager, newManager, newStranger } from "./managers";
import { type ServedComposition, serveComposition } from "./served-composition";

interface Sent {
  /** Another key than that of the test. */
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

/** Call it at the top of a test file. Its members are set once the tests run. */
export function managedSite() {
  let composed: ServedComposition;
  let manager: Manager;
  let stranger: Manager;

  beforeAll(async () => {
    composed = await serveComposition();
    stranger = await newStranger(composed);
  });
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
  afterAll(() => composed.close());

  const ask = (method: string, path: string, body?: object, { key, headers }: Sent = {}) =>
    askAt(composed, key ?? manager.secret, method, path, body, headers);
  const create = (body: object = {}, sent: Sent = {}) =>
    ask("POST", "/v1/keys", { name: "one", ...body }, sent);
  return {
    ask,
    create,
    get composed() {
      return composed;
    },
    get manager() {
      return manager;
    },
    /** The key of another account. */
    get stranger() {
      return stranger;
    },
  };
}
