import type { LucideIcon } from "lucide-react";

/** A line of the palette. */
export interface Command {
  id: string;
  name: string;
  Icon: LucideIcon;
  keys?: readonly string[];
  run: () => void;
}
