import { Fragment } from "react";
import { BETWEEN } from "@/components/requests/rate-text";

/** What has so many characters is not broken; a longer text may need to be on a phone. */
const UNBROKEN_MAX = 22;

/** Chinese characters are as wide as two. */
const widthOf = (text: string) => text.length + (text.match(/[\u2e80-\uffff]/g)?.length ?? 0);
const unbroken = (text: string) =>
  widthOf(text) <= UNBROKEN_MAX ? "whitespace-nowrap" : undefined;

/** What a rate says, broken between its parts rather than within one. */
export function RateParts({ text }: { text: string }) {
  return (
    <span className={unbroken(text)}>
      {text.split(BETWEEN).map((part, at) => (
        <Fragment key={part}>
          {at > 0 ? BETWEEN : null}
          <span className={unbroken(part)}>{part}</span>
        </Fragment>
      ))}
    </span>
  );
}
