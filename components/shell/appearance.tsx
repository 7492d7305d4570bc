"use client";

import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";

declare global {
  /** Read by the dialogs' scroll lock for the style element that it adds. */
  var __webpack_nonce__: string | undefined;
}

interface AppearanceProps {
  nonce: string | undefined;
  children: ReactNode;
}

/** Light, dark or system theme. Also passes the page's nonce to code that adds styles later. */
export function Appearance({ nonce, children }: AppearanceProps) {
  // Keeps the first nonce: a refresh renders with another, which the open document would not
  // accept.
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
