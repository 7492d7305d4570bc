import { CopyButton } from "./copy-button";

/** The form that had the focus is gone, so the secret's field takes it. */
function takeFocus(element: HTMLInputElement | null) {
  element?.focus();
}

/** A secret that is shown only now, with a button that copies it. */
export function SecretField({ label, secret }: { label: string; secret: string }) {
  return (
    <div className="flex flex-wrap items-center gap-2.5 rounded-md border border-signal bg-signal-wash p-3">
      <input
        ref={takeFocus}
        readOnly
        aria-label={label}
        value={secret}
        onFocus={(event) => event.target.select()}
        className="num h-9 min-w-0 flex-1 basis-64 rounded-sm bg-transparent px-1 text-sm"
      />
      <CopyButton text={secret} what={label} size="medium" />
    </div>
  );
}
