"use client";

import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";

declare global {
  /** Read by the scroll lock under dialogs for the style element it adds. */
  var __webpack_nonce__: string | undefined;
}

/** Light, dark or as the system has it; also hands the page's nonce to what adds styles later. */
export function Appearance({
  nonce,
  children,
}: {
  nonce: string | undefined;
  children: ReactNode;
}) {
  // The first nonce stays: a refresh renders with another, which the open document would not accept.
  const [pageNonce] = useState(() => {
    if (typeof window !== "undefined") globalThis.__webpack_nonce__ = nonce;
    return nonce;
  });
  return (
    <ThemeProvider
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      {...(pageNonce !== undefined && { nonce: pageNonce })}
    >
      {children}
    </ThemeProvider>
  );
}
