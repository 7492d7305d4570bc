/** Passes the check that a person signs up, where the server wants it. */
import { humanCheckEndpoints } from "../contract/human-check";
import type { HumanChallenge } from "../contract/human-check-cost";
import { call } from "./call";
import type { HumanCheckReport } from "./human-check-worker";
import { RequestError } from "./request-error";

/** From 0 to 1. */
type OnShare = (share: number) => void;

/** Finds the number in a worker, so that the page stays usable. */
function findNumber(challenge: HumanChallenge, onShare: OnShare): Promise<number> {
  const worker = new Worker(new URL("./human-check-worker.ts", import.meta.url));
  return new Promise<number>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<HumanCheckReport>) => {
      if ("share" in data) onShare(data.share);
      else resolve(data.number);
    };
    worker.onerror = () =>
      reject(new RequestError(0, "human_check_failed", "The check could not run."));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/** What a sign-up sends along; undefined where no check is wanted. */
export async function passHumanCheck(onShare: OnShare): Promise<string | undefined> {
  const { challenge } = await call(humanCheckEndpoints.showHumanCheck, {});
  if (challenge === null) return undefined;
  onShare(0);
  return `${challenge.question}.${await findNumber(challenge, onShare)}`;
}
