/** The verbs of every request, on their way to the writer or to what this process has leased. */
import { RelayError } from "../errors";
import type { Micropoints } from "../points";
import { holdText, releaseText, settleText } from "./batch-text";
import { endItem, holdItem } from "./item";
import type { LeaseDesk } from "./lease-desk";
import type { LeaseRecall } from "./lease-recall";
import type { EndResult, HoldRequest, HoldResult, ReleaseRequest, SettleRequest } from "./verbs";
import type { Writer } from "./writer";

interface Paths {
  readonly writer: Writer;
  /** Null for a process that takes no leases. */
  readonly desk: LeaseDesk | null;
  readonly recall: LeaseRecall;
}

function holdOnce({ writer, desk }: Paths, request: HoldRequest): Promise<HoldResult> {
  return new Promise((resolve, reject) => {
    const ask = () =>
      writer.hold(
        holdItem({
          id: request.operationId,
          account: request.accountId,
          text: holdText(request),
          resolve,
          reject,
        }),
      );
    if (!desk?.open(request, resolve, ask)) ask();
  });
}

/** Points that other processes have leased come back before anybody is refused for want of them. */
export async function openHold(paths: Paths, request: HoldRequest): Promise<HoldResult> {
  const result = await holdOnce(paths, request);
  if (result.result !== "insufficient") return result;
  return (await paths.recall.recall(request.accountId)) ? holdOnce(paths, request) : result;
}

export const settle = (paths: Paths, request: SettleRequest): Promise<EndResult> =>
  end(paths, request, {
    text: () => settleText(request),
    bareText: () =>
      settleText({ ...request, outcome: { ...request.outcome, upstreamRef: null } }, "{}"),
    isSettle: true,
    amount: request.amount,
  });

export const release = (paths: Paths, request: ReleaseRequest): Promise<EndResult> => {
  const text = () => releaseText(request);
  return end(paths, request, { text, bareText: text, isSettle: false, amount: 0n });
};

interface End {
  readonly text: () => string;
  readonly bareText: () => string;
  readonly isSettle: boolean;
  readonly amount: Micropoints;
}

/** Rejects with `RangeError` for figures outside their bounds. */
function end(
  { writer, desk }: Paths,
  { operationId: id, accountId: account }: SettleRequest | ReleaseRequest,
  { text, bareText, isSettle, amount }: End,
): Promise<EndResult> {
  return new Promise((resolve, reject) => {
    const own = text();
    const whole = desk?.end(id) ?? null;
    const item = endItem({
      id,
      account,
      text: whole ? whole.text(own) : own,
      bareText: whole ? () => whole.text(bareText()) : bareText,
      isSettle,
      amount,
      ended: whole?.ended,
      resolve: (result) => {
        if (result?.result === "spooled") whole?.left(true);
        if (result) resolve(result);
        else {
          whole?.left(false);
          const internal = `there is no operation ${id} of ${account}`;
          reject(new RelayError("internal_error", { internal }));
        }
      },
      reject: (error) => {
        whole?.left(false);
        reject(error);
      },
    });
    writer.end(item);
  });
}
