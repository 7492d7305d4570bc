import { expect, test } from "vitest";
import { RelayError } from "../failures/relay-error";
import { answerWith } from "./serve-page";

function watchedHost() {
  const reports: string[] = [];
  const report = (_deps: object, _id: string, { code }: RelayError) => void reports.push(code);
  return { host: { deps: () => ({}), report }, reports };
}

test("a failure of the server is reported", async () => {
  const { host, reports } = watchedHost();
  const { signal } = new AbortController();
  const failing = () => Promise.reject(new Error("no"));
  expect((await answerWith(host, signal, failing)).status).toBe(500);
  expect(reports).toEqual(["internal_error"]);
});

test("a client that leaves is not reported as a failure of the server, another failure then is", async () => {
  const { host, reports } = watchedHost();
  const leaving = new AbortController();
  await answerWith(host, leaving.signal, async () => {
    leaving.abort();
    leaving.signal.throwIfAborted();
    return new Response();
  });
  expect(reports).toEqual([]);
  await answerWith(host, leaving.signal, () => Promise.reject(new RelayError("service_busy")));
  expect(reports).toEqual(["service_busy"]);
});
