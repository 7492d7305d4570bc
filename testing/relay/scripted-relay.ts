/** A relay at an upstream whose answers the tests of a file write. */
import { afterEach, beforeEach } from "vitest";
import { type ContentKeeper, createContentKeeper } from "@/lib/content/content-keeper";
import { fixedSecrets } from "@/lib/crypto/secrets";
import { opened } from "../unit/opened";
import { type Script, startUpstream } from "../upstream/test-upstream";
import { openTestRelay, type TestRelayOptions } from "./test-relay";

type Options = (upstream: Awaited<ReturnType<typeof startUpstream>>) => TestRelayOptions;

/** Both are open until the file's tests are over. A test sets `script` before it sends. */
export async function scriptedRelay(
  options: Options = (upstream) => ({ channels: [upstream.channel()] }),
) {
  const answers: { script: Script } = {
    script() {
      throw new Error("the test set no script");
    },
  };
  const upstream = await opened(startUpstream((...args) => answers.script(...args)));
  const relay = await opened(openTestRelay(options(upstream)));
  return Object.assign(answers, { upstream, relay });
}

/** The same, which keeps what is asked and answered; each test has a keeper of its own. */
export async function keepingRelay() {
  const secrets = fixedSecrets("s".repeat(32));
  let keeper: ContentKeeper;
  const setup = await scriptedRelay((upstream) => ({
    channels: [upstream.channel()],
    points: "100000",
    contents: {
      open: (...given) => keeper.open(...given),
      flush: () => keeper.flush(),
      close: () => keeper.close(),
    },
  }));
  beforeEach(() => {
    keeper = createContentKeeper({ pool: setup.relay.pool, secrets }, (error) => {
      throw error;
    });
  });
  afterEach(() => keeper.close());
  return Object.assign(setup, { secrets, flush: () => keeper.flush() });
}
