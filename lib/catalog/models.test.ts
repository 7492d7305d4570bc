/** What is read from a snapshot of the catalogue: successors, and the models of examples. */

import { afterEach, expect, test } from "vitest";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { findAllowedModel } from "../accounts/allowed-model";
import type { ApiKeyPrincipal } from "../accounts/principal";
import { apiDocumentText } from "../contract/api-document";
import { examples } from "../contract/examples";
import { chat, image } from "../docs/snippets";
import { warnOfRetiring } from "../relay/order/retiring";
import { builtInModels } from "./built-in";
import type { Model } from "./model";
import { catalogueOf, replaceCatalogue, successorOf } from "./models";

const [text, ...others] = builtInModels;
const catalogueWith = (models: readonly Model[]) => replaceCatalogue(catalogueOf(models));
afterEach(() => catalogueWith(builtInModels));

const later = 4_000_000_000_000;
type Ends = Partial<Pick<Model, "state" | "retiresAt" | "replacedBy">>;
function model(id: string, ends: Ends = {}): Model {
  if (text?.family !== "text") throw new Error("the first model is not of text");
  return { ...text, id, alias: id, synonyms: [], isBuiltIn: false, ...ends };
}
const principal = (hidden: readonly string[] = []): ApiKeyPrincipal => ({
  ...usualPrincipal,
  sees: (id) => !hidden.includes(id),
});

test("a model that ended names the one to use now, also where its replacement has ended too", () => {
  const chain = [
    model("one", { state: "retired", replacedBy: "two" }),
    model("two", { state: "retiring", retiresAt: 1000, replacedBy: "three" }),
    model("three", { state: "retiring", retiresAt: later, replacedBy: "four" }),
    model("four"),
  ];
  catalogueWith(chain);
  const refusal = (hidden?: readonly string[]) => () => findAllowedModel("one", principal(hidden));
  // What retires is served until its date.
  expect(refusal()).toThrow("has been retired. Use three instead.");
  expect(refusal(["three"])).toThrow("Use four instead.");
  expect(refusal(["three", "four"])).toThrow("has been retired. GET /v1/models");
  const headers: Record<string, string> = {};
  const [, , three] = chain;
  if (three) warnOfRetiring(headers, three, principal());
  expect(headers).toEqual({
    "x-relay-model-retires": `${new Date(later).toISOString()}; replaced-by=four`,
  });
  if (three) warnOfRetiring(headers, three, principal(["four"]));
  expect(headers).toEqual({ "x-relay-model-retires": new Date(later).toISOString() });
});

test("models that replace each other in a circle have no successor", () => {
  const circle = [
    model("one", { state: "retired", replacedBy: "two" }),
    model("two", { state: "retired", replacedBy: "one" }),
  ];
  catalogueWith(circle);
  expect(circle.map((each) => successorOf(each))).toEqual([null, null]);
});

test("examples of the documents and of the API name models that are on offer", () => {
  const place = { origin: "https://relay.example.com", baseUrl: "https://relay.example.com/v1" };
  const named = () =>
    [JSON.stringify(examples()), apiDocumentText(), JSON.stringify([chat(place), image(place)])]
      .join("\n")
      .match(/(relay-v1|super-relay[\w.-]*|acme-[a-z]+)(?=")/g);
  expect(new Set(named())).toContain("relay-v1");
  const ended = builtInModels.map((each) => ({ ...each, state: "retired" }) as const);
  const sold = others.flatMap((each) =>
    each.id === "Super-Relay2.5" || each.family === "image"
      ? [{ ...each, id: `acme-${each.family}`, alias: `acme-${each.family}`, synonyms: [] }]
      : [],
  );
  catalogueWith([...ended, model("acme-text"), ...sold]);
  expect([...new Set(named())].sort()).toEqual(["acme-image", "acme-text", "acme-video"]);
});
