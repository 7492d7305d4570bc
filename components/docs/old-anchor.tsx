"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/**
 * Follows the link beside the address's anchor: links from elsewhere name an endpoint on the page
 * that once had all of them.
 */
export function OldAnchor() {
  const router = useRouter();
  useEffect(() => {
    const anchor = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const link = anchor?.querySelector<HTMLAnchorElement>("a[data-endpoint]");
    if (link) router.replace(`${link.pathname}${link.hash}`);
  }, [router]);
  return null;
}
