import { ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

export const controlStyle =
  "w-full rounded-md border border-control bg-card text-base text-ink placeholder:text-faint disabled:opacity-60 aria-invalid:border-bad max-sm:text-lg";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn(controlStyle, "h-10 px-3", className)} {...rest} />;
}

export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className="relative block">
      <select className={cn(controlStyle, "h-10 appearance-none pr-9 pl-3", className)} {...rest}>
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-3 right-3 size-4 text-muted"
      />
    </span>
  );
}

interface Named {
  readonly id: string;
  readonly name: string;
}

type Offered = string | number | Named;
const idOf = (each: Offered) => (typeof each === "object" ? each.id : each);
const nameOf = (each: Offered) => (typeof each === "object" ? each.name : each);

/** The options of a select: values, or what has an id and a name. */
export function Options<Value extends Offered>({
  of,
  name = nameOf,
}: {
  of: readonly Value[];
  name?: (value: Value) => ReactNode;
}) {
  return of.map((each) => (
    <option key={idOf(each)} value={idOf(each)}>
      {name(each)}
    </option>
  ));
}
