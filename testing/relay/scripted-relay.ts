/** A relay at an upstream whose answers the tests of a file write. */
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
