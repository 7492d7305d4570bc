import type { ReactNode } from "react";
import { cn } from "./class-names";

interface AfterProps {
  /** The queries of the content above. */
  of: readonly {
    readonly data: unknown;
    readonly error: unknown;
    /** False where the query waits for nothing, such as for what the role may not read. */
    readonly isEnabled?: boolean;
  }[];
  className?: string;
  children: ReactNode;
}

/** Hides its content until the content above has its final height, so that nothing moves. */
export function After({ of, className, children }: AfterProps) {
  const isReady = of.every(
    ({ data, error, isEnabled = true }) => !isEnabled || data !== undefined || error !== null,
  );
  return <div className={cn(className, !isReady && "invisible")}>{children}</div>;
}
