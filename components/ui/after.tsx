import type { ReactNode } from "react";
import { cn } from "./class-names";

interface AfterProps {
  /** What stands above and has no size before it has loaded. */
  of: readonly { readonly data: unknown; readonly error: unknown }[];
  className?: string;
  children: ReactNode;
}

/** Keeps out of sight what would be pushed down by what loads above it. It loads meanwhile all the same. */
export function After({ of, className, children }: AfterProps) {
  const isReady = of.every(({ data, error }) => data !== undefined || error !== null);
  return <div className={cn(className, !isReady && "invisible")}>{children}</div>;
}
