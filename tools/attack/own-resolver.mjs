/**
 * Loaded into the server before anything else (`node --import`): the names below `.rebind.test` are
 * looked up at the attacker's resolver, as an attacker's own domain is.
 */
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

const resolver = new dns.promises.Resolver({ timeout: 1000, tries: 1 });
resolver.setServers([`127.0.0.1:${process.env.RELAY_ATTACK_RESOLVER_PORT}`]);
const { lookup } = dns;

async function addressesOf(name) {
  const [six, four] = await Promise.all([
    resolver.resolve6(name).catch(() => []),
    resolver.resolve4(name).catch(() => []),
  ]);
  return [
    ...six.map((address) => ({ address, family: 6 })),
    ...four.map((address) => ({ address, family: 4 })),
  ];
}

dns.lookup = (name, options, callback) => {
  if (!String(name).endsWith(".rebind.test")) return lookup(name, options, callback);
  const answer = callback ?? options;
  void addressesOf(name).then((addresses) => {
    const [first] = addresses;
    if (first === undefined) answer(Object.assign(new Error(name), { code: "ENOTFOUND" }));
    else if (options?.all) answer(null, addresses);
    else answer(null, first.address, first.family);
  });
};
syncBuiltinESMExports();
