import type { Field } from "@/lib/contract/reference-fields";
import { FieldRow } from "./field-row";

interface FieldListProps {
  title: string;
  note?: string;
  fields: readonly Field[];
  /** Fields of an answer are there unless they say otherwise. */
  isAnswer?: boolean;
}

/** The fields of one part of a request or an answer: type, default, limits and a sentence. */
export function FieldList({ title, note, fields, isAnswer = false }: FieldListProps) {
  if (fields.length === 0) return null;
  return (
    <section>
      <h3 className="font-medium text-sm">{title}</h3>
      {note ? <p className="text-muted text-sm">{note}</p> : null}
      <dl className="mt-2 grid border-t text-sm">
        {fields.map((field) => (
          <FieldRow key={field.name} field={field} isAnswer={isAnswer} />
        ))}
      </dl>
    </section>
  );
}
