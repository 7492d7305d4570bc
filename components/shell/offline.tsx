"use client";

import { WifiOff } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";

/** The page of this site that a plain click on a link asks for; null for any other click. */
function wantedPage(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || link.target === "_blank" || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  return url.origin === window.location.origin && url.pathname !== window.location.pathname
    ? url.pathname + url.search + url.hash
    : null;
}

/**
 * Says that there is no network. A page that is asked for meanwhile opens when there is one again,
 * instead of the browser's own page of the failure.
 */
export function Offline() {
  const t = useTranslations("ui.offline");
  const router = useRouter();
  const [isOffline, setOffline] = useState(false);
  const [wanted, setWanted] = useState<string | null>(null);
  useEffect(() => {
    const follow = () => setOffline(!navigator.onLine);
    follow();
    window.addEventListener("online", follow);
    window.addEventListener("offline", follow);
    return () => {
      window.removeEventListener("online", follow);
      window.removeEventListener("offline", follow);
    };
  }, []);
  useEffect(() => {
    if (!isOffline) return;
    const keep = (event: MouseEvent) => {
      const page = wantedPage(event);
      if (page === null) return;
      event.preventDefault();
      event.stopPropagation();
      setWanted(page);
    };
    document.addEventListener("click", keep, true);
    return () => document.removeEventListener("click", keep, true);
  }, [isOffline]);
  useEffect(() => {
    if (isOffline || wanted === null) return;
    setWanted(null);
    router.push(wanted);
  }, [isOffline, wanted, router]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 top-3 z-60 grid justify-items-center"
    >
      {isOffline ? (
        <p className="flex animate-appear items-center gap-2 rounded-full bg-ink px-4 py-2 text-paper text-sm shadow-float">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {t(wanted === null ? "text" : "waits")}
        </p>
      ) : null}
    </div>
  );
}
