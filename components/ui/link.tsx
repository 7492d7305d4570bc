"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link to a page of the product, which is fetched ahead once the pointer, a finger or the focus is on it. Next would
 * fetch whatever is in sight: some thirty requests a page, which cost the server twice what the page does.
 */
export function Link({
  onMouseEnter,
  onTouchStart,
  onFocus,
  ...props
}: ComponentProps<typeof NextLink>) {
  const [isMeant, setIsMeant] = useState(false);
  const meant =
    <Event,>(own: ((event: Event) => void) | undefined) =>
    (event: Event) => {
      setIsMeant(true);
      own?.(event);
    };
  return (
    <NextLink
      prefetch={isMeant ? null : false}
      {...props}
      onMouseEnter={meant(onMouseEnter)}
      onTouchStart={meant(onTouchStart)}
      onFocus={meant(onFocus)}
    />
  );
}
