import { Fragment } from "react";
import { atMoments } from "@/lib/values/utc-minute";
import { LocalTime } from "./local-time";

/** A text of the server, with its moments in the reader's zone. */
export function TimedText({ text }: { text: string }) {
  return atMoments(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places
    <Fragment key={at}>{at % 2 === 1 ? <LocalTime at={part} /> : part}</Fragment>
  ));
}
