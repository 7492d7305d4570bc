import { expect, test } from "vitest";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { catalogue, catalogueOf, firstModelOf, replaceCatalogue } from "../../catalog/models";
import { videoRequest } from "../../contract/video";
import { validate } from "../../http/validate";
import { requestedVideoOfCall } from "./requested-video";
import { orderVideo } from "./video-order";

const before = catalogue();
const listed = {
  ...firstModelOf("video"),
  id: "listed",
  alias: "listed",
  durations: [8, 4],
  durationSecondsMin: 4,
  durationSecondsMax: 8,
  durationSecondsDefault: 8,
};
replaceCatalogue(catalogueOf([...before.models, listed]));

const price = { input: 0n, output: 1_000_000_000n };
const priceBook = {
  current: (model: string) => ({ id: "1", model, price, effectiveAt: new Date(0) }),
};
const secondsOf = (duration?: number) => {
  const body = { model: "listed", prompt: "a cat", duration };
  validate(videoRequest, body);
  return orderVideo(requestedVideoOfCall(body), usualPrincipal, priceBook).spec.durationSeconds;
};

test("a model with a list of lengths makes these and no other", () => {
  expect([secondsOf(), secondsOf(4), secondsOf(8), secondsOf(1)]).toEqual([8, 4, 8, 4]);
  for (const seconds of [5, 9, -1])
    expect(() => secondsOf(seconds)).toThrow(
      `\`duration\` is ${seconds}: listed allows 4, 8 seconds.`,
    );
});
