import type { Locale } from "./locales";

/** For the one page that must not depend on anything that could have failed, the texts' own loading included. */
export const brokenPage: Record<Locale, { title: string; text: string; retry: string }> = {
  en: {
    title: "This page broke",
    text: "Nothing was charged for it. Load it again in a moment.",
    retry: "Load again",
  },
  "zh-CN": {
    title: "页面出错了",
    text: "没有因此扣除任何积分。请稍后重新加载。",
    retry: "重新加载",
  },
};
