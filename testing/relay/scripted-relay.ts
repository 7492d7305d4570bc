/** A relay at an upstream whose answers the tests of a file write. */
import { afterAll, beforeAll } from "vitest";
import { type Script, startUpstream, type TestUpstream } from "../upstream/test-upstream";
import { openTestRelay, type TestRelay, type TestRelayOptions } from "./test-relay";

interface ScriptedRelay {
  readonly upstream: TestUpstream;
  readonly relay: TestRelay;
  /** What the upstream answers; a test sets it before it sends. */
  script: Script;
}

/** Both run from before the file's first test until after its last; `options` name the channels. */
export function scriptedRelay(
  options: (upstream: TestUpstream) => TestRelayOptions = (upstream) => ({
    channels: [upstream.channel()],
  }),
): ScriptedRelay {
  let upstream: TestUpstream | undefined;
  let relay: TestRelay | undefined;
  const opened = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error("the relay opens before the first test");
    return part;
  };
  const setup: ScriptedRelay = {
    get upstream() {
      return opened(upstream);
    },
    get relay() {
      return opened(relay);
    },
    script() {
      throw new Error("the test set no script");
    },
  };
  beforeAll(async () => {
    upstream = await startUpstream((...args) => setup.script(...args));
    relay = await openTestRelay(options(upstream));
  });
  afterAll(async () => {
    await relay?.close();
    await upstream?.close();
  });
  return setup;
}
