interface CheckFieldProps {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** One thing that a model can do or not. */
export function CheckField({ label, isChecked, onChange }: CheckFieldProps) {
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-ink"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="font-medium">{label}</span>
    </label>
  );
}
