import { cookies } from "next/headers";
import { getLocale } from "next-intl/server";
import { DISMISSED_COOKIE, readDismissed, type ShownNotice } from "@/lib/client/notices";
import { pagesDeps } from "@/lib/pages-api/pages-deps";

/** The current notices in the reader's language, without those dismissed in this browser. */
export async function shownNotices(): Promise<ShownNotice[]> {
  const dismissed = readDismissed((await cookies()).get(DISMISSED_COOKIE)?.value);
  const isChinese = (await getLocale()) === "zh-CN";
  return pagesDeps()
    .live.notices()
    .filter(({ id }) => !dismissed.includes(id))
    .map(({ id, level, textEn, textZh }) => ({ id, level, text: isChinese ? textZh : textEn }));
}
