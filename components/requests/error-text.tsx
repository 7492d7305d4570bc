import { partsOfError, useReasonText } from "./reason-text";

/** An attempt's failure: its code in words, and what the upstream said. */
export function ErrorText({ text }: { text: string }) {
  const reasonText = useReasonText();
  const parts = partsOfError(text);
  if (parts === null) return <span translate="no">{text}</span>;
  return (
    <>
      {reasonText(parts.code)} · <span translate="no">{parts.words}</span>
    </>
  );
}
