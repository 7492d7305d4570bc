import { useEffect, useRef, useState } from "react";
import { sendTrial, type Trial, type TrialAnswer } from "@/lib/client/trial";
import { quoteTrial, type TrialQuote } from "@/lib/client/trial-quote";

interface State {
  readonly running: "quote" | "send" | null;
  /** The price of `quoted`, the request it was asked for. */
  readonly quote: TrialQuote | null;
  readonly quoted: string | null;
  readonly answer: TrialAnswer | null;
  readonly arriving: string;
  readonly hasFailed: boolean;
}

const atRest: State = {
  running: null,
  quote: null,
  quoted: null,
  answer: null,
  arriving: "",
  hasFailed: false,
};

/** One request of the page at a time: first its price, then the request itself. */
export function useTrial(endpoint: string) {
  const [state, setState] = useState(atRest);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const change = (part: Partial<State>) => setState((before) => ({ ...before, ...part }));
  const run = async (running: "quote" | "send", work: (signal: AbortSignal) => Promise<void>) => {
    const own = new AbortController();
    abort.current = own;
    change({ running, answer: null, arriving: "", hasFailed: false });
    try {
      await work(own.signal);
    } catch {
      change({ hasFailed: !own.signal.aborted });
    } finally {
      change({ running: null });
    }
  };
  return {
    ...state,
    stop: () => abort.current?.abort(),
    askPrice: (trial: Trial) =>
      run("quote", async (signal) => {
        const found = await quoteTrial(endpoint, trial, signal);
        if ("status" in found) change({ quote: null, quoted: null, answer: found });
        else change({ quote: found, quoted: JSON.stringify(trial) });
      }),
    send: (trial: Trial) =>
      run("send", async (signal) => {
        const answer = await sendTrial(trial, signal, (arriving) => change({ arriving }));
        change({ answer, quote: null, quoted: null });
      }),
  };
}
