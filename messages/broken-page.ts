import type { Locale } from "./locales";

/** Texts of the page that is shown when loading the messages themselves may have failed. */
export const brokenPage: Record<Locale, { title: string; text: string; retry: string }> = {
  en: {
    title: "This page failed",
    text: "Nothing was charged for it. Load it again in a moment.",
    retry: "Load again",
  },
  "zh-CN": {
    title: "页面出错了",
    text: "没有因此扣除任何积分。请稍后重新加载。",
    retry: "重新加载",
  },
};
