/** All situations, and the document that lists them. */
import { brokenTurns } from "./broken-turns";
import { callForms } from "./call-forms";
import { streamedCalls } from "./calls";
import { carried } from "./carried";
import { clientForms } from "./client-forms";
import { clientHistory } from "./client-history";
import { countsAndEnds } from "./counts-and-ends";
import { documents } from "./documents";
import { furtherCalls } from "./further-calls";
import { furtherPlainer } from "./further-plainer";
import { furtherStreams } from "./further-streams";
import { history } from "./history";
import { laterForms } from "./later-forms";
import { leakedCalls } from "./leaked-calls";
import { newerModels } from "./newer-models";
import { plainer } from "./plainer";
import { refused } from "./refused";
import { serversOfTools } from "./servers-of-tools";
import type { Situation } from "./situation";
import { streams } from "./streams";
import { toldLate } from "./told-late";
import { toolLists } from "./tool-lists";
import { toolNames } from "./tool-names";
import { transport } from "./transport";
import { unread } from "./unread";

export const parts: readonly {
  readonly name: string;
  readonly situations: readonly Situation[];
}[] = [
  { name: "Streams", situations: [...streams, ...furtherStreams, ...countsAndEnds] },
  { name: "Refusals", situations: refused },
  { name: "Refusals within answers", situations: toldLate },
  {
    name: "Plainer forms",
    situations: [...plainer, ...furtherPlainer, ...unread, ...newerModels, ...serversOfTools],
  },
  { name: "Calls in pieces", situations: [...streamedCalls, ...furtherCalls, ...leakedCalls] },
  { name: "Forms of calls", situations: callForms },
  { name: "History", situations: [...history, ...carried, ...clientHistory, ...brokenTurns] },
  {
    name: "What clients send",
    situations: [...clientForms, ...toolNames, ...toolLists, ...laterForms],
  },
  { name: "Documents", situations: documents },
  { name: "Transport", situations: transport },
];

function threadOf(thread: Situation["thread"]): string {
  if (!thread) return "Our trials.";
  const [repository, number] = thread.split("#");
  return `[${thread}](https://github.com/${repository}/issues/${number})`;
}

function lineOf({ sent, got, right, thread, upstream }: Situation): string {
  const protocols = Object.keys(upstream).join(", ");
  return `- **${sent}** (${protocols}). Got: ${got}. Right: ${right}. ${threadOf(thread)}`;
}

const INTRODUCTION = `# Conformance

What upstreams were seen to send, and what clients read of it here. Each line is a test
(\`server/conformance.test.ts\`): every dialect, with the client library that people use, plain and
streamed, at upstreams of the protocols named, and each ends with the right charge. "Got" is what
clients got before the line was written, here or at the gateway of the thread.

This page is made from \`testing/conformance\`: \`npx vitest run server/conformance.test.ts -u\` writes it.
`;

export const tableText = (): string =>
  INTRODUCTION +
  parts
    .map(({ name, situations }) => `\n## ${name}\n\n${situations.map(lineOf).join("\n")}\n`)
    .join("");
