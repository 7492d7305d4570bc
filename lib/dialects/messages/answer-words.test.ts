import { expect, test } from "vitest";
import { stopReasonOf } from "./answer-words";

const plain = { hasRefusal: false, stopSequence: null };

test.each(["constructor", "__proto__", "toString", 7, null])(
  "an upstream's finish reason %j is an unknown one: the answer counts as cut",
  (finishReason) => expect(stopReasonOf({ ...plain, finishReason })).toBe("max_tokens"),
);
