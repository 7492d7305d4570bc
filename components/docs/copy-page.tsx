"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { pageMarkdown } from "./page-markdown";

/** Copies the page of the documentation that is around it. */
export function CopyPage() {
  const t = useTranslations("docSearch");
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} data-uncopied className="float-right ml-4">
      <CopyButton
        look="quiet"
        named={t("copyPage")}
        what={t("copyPage")}
        text={() => {
          const page = place.current?.parentElement;
          return page ? pageMarkdown(page) : "";
        }}
      />
    </div>
  );
}
