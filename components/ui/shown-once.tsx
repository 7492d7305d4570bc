import type { ReactNode } from "react";
import { Button } from "./button";
import { DialogActions } from "./dialog";
import { SecretField } from "./secret-field";

interface ShownOnceProps {
  label: string;
  secret: string;
  /** The text of the button, which says that it was stored. */
  saved: string;
  onSaved: () => void;
  children?: ReactNode;
}

/** In a dialog: what is shown this once, and the button that closes it. */
export function ShownOnce({ label, secret, saved, onSaved, children }: ShownOnceProps) {
  return (
    <>
      <SecretField label={label} secret={secret} />
      {children}
      <DialogActions>
        <Button look="signal" size="large" onClick={onSaved}>
          {saved}
        </Button>
      </DialogActions>
    </>
  );
}
