/** The Atom feed of incidents. */
export const FEED_PATH = "/status/feed.atom";

export const feedAddress = (locale: string): string =>
  locale.startsWith("zh") ? `${FEED_PATH}?lang=zh-CN` : FEED_PATH;
