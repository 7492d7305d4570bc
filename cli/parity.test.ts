/** What the pages can change, the API and the command line can change too, or it is said why not. */
import { expect, test } from "vitest";
import { accountApi } from "@/lib/contract/account-api";
import { accountApiRow, isAccountRowName } from "@/lib/contract/account-api-rows";
import { endpoints } from "@/lib/contract/endpoints";
import { operatorApi } from "@/lib/contract/operator-api";
import { isOperatorRowName, operatorApiRow } from "@/lib/contract/operator-api-rows";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { pageEndpoints } from "@/lib/contract/page-endpoints";
import { byAnyone, onCommandLine } from "@/testing/pages-api/changing-rows";
import { nouns } from "./nouns";

const rows: [string, PageEndpoint][] = Object.entries(pageEndpoints);
const changing = rows.filter(([, { method }]) => method !== "GET");
/** A reason is a sentence, so that a reader can judge it. */
const isReason = (text: string) => /^[A-Z`a-z].{20,}\.$/.test(text);

/** The address of the API by which a row's change is made; else the reason why there is none. */
function onApi(name: string): string {
  if (isOperatorRowName(name)) {
    const [row, entry] = [operatorApiRow(name), operatorApi[name]];
    return row ? `${row.method} ${row.path}` : "leftOut" in entry ? entry.leftOut : "";
  }
  if (isAccountRowName(name)) {
    const [row, entry] = [accountApiRow(name), accountApi[name]];
    if (row) return `${row.method} ${row.path}`;
    if ("sameAs" in entry)
      return `${endpoints[entry.sameAs].method} ${endpoints[entry.sameAs].path}`;
    return "leftOut" in entry ? entry.leftOut : "";
  }
  return Object.entries(byAnyone).find(([each]) => each === name)?.[1] ?? "";
}

test("each change of the pages has an address of the API that changes, or a reason why not", () => {
  expect(changing.length).toBeGreaterThan(100);
  const wrong = changing.filter(([name]) => {
    const found = onApi(name);
    return !/^(POST|PATCH|DELETE) \/v1\//.test(found) && !isReason(found);
  });
  expect(wrong).toEqual([]);
});

test("each change of the pages has a command that exists, or a reason why not", async () => {
  expect(Object.keys(onCommandLine).sort()).toEqual(changing.map(([name]) => name).sort());
  for (const [name, command] of Object.entries(onCommandLine)) {
    if (typeof command !== "string") {
      expect([name, isReason(command.none)]).toEqual([name, true]);
      continue;
    }
    const [noun = "", verb = ""] = command.split(" ");
    const verbs = (await nouns[noun]?.()) ?? {};
    expect([name, Object.keys(verbs).includes(verb)]).toEqual([name, true]);
  }
});

test("what has neither an address nor a command is about a person, a browser or a card", () => {
  const neither = Object.entries(onCommandLine)
    .filter(([name, command]) => typeof command !== "string" && isReason(onApi(name)))
    .map(([name]) => name);
  expect(neither.sort()).toEqual([
    "acceptInvitation",
    "addPasskey",
    "cancelSignIn",
    "changeProfile",
    "completeWithCode",
    "confirmCard",
    "confirmEmail",
    "confirmTotp",
    "forgotPassword",
    "leaveAccount",
    "makeRecoveryCodes",
    "provePassword",
    "proveWithPasskey",
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
    const row = isOperatorRowName(name)
      ? operatorApiRow(name)
      : isAccountRowName(name)
        ? accountApiRow(name)
        : null;
    return row ? [`${row.method} ${row.path}`] : [];
  });
  const others = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
  const all = [...served, ...others];
  expect(all.filter((each, place) => all.indexOf(each) !== place)).toEqual([]);
});
