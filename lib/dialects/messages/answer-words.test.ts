import { expect, test } from "vitest";
import { stopReasonOf } from "./answer-words";

const plain = { hasToolUse: false, hasRefusal: false, stopSequence: null };

test.each(["constructor", "__proto__", "toString", 7, null])(
  "an upstream's finish reason %j is an unknown one: the turn ended",
  (finishReason) => expect(stopReasonOf({ ...plain, finishReason })).toBe("end_turn"),
);
