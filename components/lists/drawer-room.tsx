"use client";

import { useSearchParams } from "next/navigation";

/**
 * The room of a drawer that the page's URL opens, `name` being its parameter. It stands at the top
 * of the page and of what is shown until the page is there, since the drawer itself may arrive after
 * they were painted.
 */
export function DrawerRoom({ name }: { name: string }) {
  return useSearchParams().has(name) ? <span data-drawer hidden /> : null;
}
