import type { ReactNode } from "react";

interface CheckRowProps {
  label: string;
  /** What it means, under the label. */
  note?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** A switch among the folded rows of a form. */
export function CheckRow({ label, note, isOn, onChange }: CheckRowProps) {
  return (
    <label className="flex items-center justify-between gap-3 border-b py-2 pl-5.5 text-sm first:border-t">
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        {note ? <span className="block text-muted">{note}</span> : null}
      </span>
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-(--ink)"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  );
}
