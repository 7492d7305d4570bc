/**
 * The domain of a mail address, by which welcome points are counted in addition to the network
 * address.
 */

/** Providers that anyone can use, so that their domain does not identify a group. */
const publicProviders = new Set(
  `126.com 139.com 163.com 189.cn aliyun.com aol.com duck.com fastmail.com foxmail.com free.fr gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net
googlemail.com hey.com hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.it icloud.com laposte.net libero.it live.com live.cn mac.com mail.com
mail.ru me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.fr outlook.jp pm.me proton.me protonmail.com qq.com rambler.ru
rediffmail.com sina.cn sina.com sohu.com t-online.de tuta.com tutanota.com vip.qq.com vip.163.com web.de yahoo.com yahoo.co.jp yahoo.co.uk
yahoo.de yahoo.fr yandex.com yandex.ru yeah.net zoho.com zohomail.com`.split(/\s+/),
);

/** Second-level labels under which countries register names, such as `example.co.uk`. */
const shared = new Set(["ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"]);

/**
 * The registered domain of a mail address, so that subdomains count as one domain. Null for a
 * provider that anyone can use.
 */
export function countedDomain(email: string): string | null {
  const domain = email
    .slice(email.lastIndexOf("@") + 1)
    .toLowerCase()
    .replace(/\.$/, "");
  if (publicProviders.has(domain)) return null;
  const labels = domain.split(".");
  const isShared = labels.at(-1)?.length === 2 && shared.has(labels.at(-2) ?? "");
  return labels.slice(isShared ? -3 : -2).join(".");
}
