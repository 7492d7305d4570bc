import { isRecord } from "../values/records";
import { pointsText, sendTrial, type Trial, type TrialAnswer } from "./trial";

/** Decimal points. */
export interface TrialQuote {
  readonly estimate: string;
  readonly hold: string;
}

/** What the request would cost, or the answer that does not say it. */
export async function quoteTrial(
  endpoint: string,
  trial: Trial,
  signal: AbortSignal,
): Promise<TrialQuote | TrialAnswer> {
  const fields: unknown = JSON.parse(trial.body ?? "{}");
  const body = JSON.stringify({ endpoint, ...(isRecord(fields) ? fields : {}) });
  const answer = await sendTrial({ ...trial, path: "/v1/quote", body }, signal, () => {});
  const quote: unknown = answer.status === 200 ? JSON.parse(answer.text) : null;
  if (!isRecord(quote)) return answer;
  return {
    estimate: pointsText(Number(quote.estimate_points)),
    hold: pointsText(Number(quote.hold_points)),
  };
}
