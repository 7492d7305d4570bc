/** What the pages can change, the API and the command line can change too, or it is said why not. */
import { expect, test } from "vitest";
import { endpoints } from "@/lib/contract/endpoints";
import { keyRow } from "@/lib/contract/key-rows";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import { noCommandReasons, noKeyReasons } from "@/lib/contract/row-reasons";
import { nouns } from "./nouns";

const rows = Object.entries(pageEndpoints) as [PageName, PageEndpoint][];
const changing = rows.filter(([, { method }]) => method !== "GET");
const given = (...values: unknown[]) => values.filter((value) => value !== undefined).length;

test("each reason is a sentence, so that a reader can judge it", () => {
  const reasons = Object.values({ ...noKeyReasons, ...noCommandReasons });
  expect(reasons.filter((text) => !/^[A-Z`a-z].{20,}\.$/.test(text))).toEqual([]);
});

test("each change of the pages has an address of the API that changes, or a reason why not", () => {
  expect(changing.length).toBeGreaterThan(100);
  const wrong = changing.filter(([name, { sameAs, noKey, scope }]) => {
    const row = sameAs === undefined ? keyRow(name) : endpoints[sameAs];
    const isThere = noKey !== undefined || (row !== null && row.method !== "GET");
    return !isThere || given(sameAs, noKey, scope) !== 1;
  });
  expect(wrong).toEqual([]);
});

test("each change of the pages has a command that exists, or a reason why not", async () => {
  const wrong: string[] = [];
  for (const [name, { command, noCommand }] of changing) {
    const [noun = "", verb = ""] = command?.split(" ") ?? [];
    const verbs = (await nouns[noun]?.()) ?? {};
    const isThere = noCommand !== undefined || Object.keys(verbs).includes(verb);
    if (!isThere || given(command, noCommand) !== 1) wrong.push(name);
  }
  expect(wrong).toEqual([]);
});

test("what has neither an address nor a command is about a person, a browser or a card", () => {
  const neither = changing
    .filter(([, { noCommand, noKey }]) => noCommand !== undefined && noKey !== undefined)
    .map(([name]) => name);
  expect(neither.sort()).toEqual([
    "acceptInvitation",
    "addPasskey",
    "buyPlan",
    "cancelPayment",
    "cancelSignIn",
    "changeProfile",
    "completeWithCode",
    "confirmCard",
    "confirmEmail",
    "confirmTotp",
    "continuePayment",
    "forgotPassword",
    "keepStudioSession",
    "keepUsageViews",
    "leaveAccount",
    "makeRecoveryCodes",
    "provePassword",
    "proveWithPasskey",
    "removeStudioSession",
    "renamePasskey",
    "saveCard",
    "signInWithPasskey",
    "startIdentity",
    "startPasskey",
    "startPasskeyProof",
    "startPasskeySignIn",
    "startPayment",
    "startTotp",
    "switchAccount",
    "undoEmail",
  ]);
});

test("no two rows of the pages are one address of the API, and no address is an endpoint's", () => {
  const served = rows.flatMap(([name]) => {
    const row = keyRow(name);
    return row ? [`${row.method} ${row.path}`] : [];
  });
  const others = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
  const all = [...served, ...others];
  expect(all.filter((each, place) => all.indexOf(each) !== place)).toEqual([]);
});
