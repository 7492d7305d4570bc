/**
 * The layers, from the bottom up; every folder, and every file that lies in `lib` itself, is in one.
 * A place imports what its layer names under `imports` (a layer, or one place), and of its own layer
 * the places before it. So no folders can import each other in a ring. Tests import what they like.
 */
export const layers = [
  {
    name: "plain",
    purpose: "pure; it runs in the browser too",
    places: [
      "lib/records",
      "lib/failures",
      "lib/errors",
      "lib/points",
      "lib/csv",
      "lib/catalog",
      "lib/contract",
      "lib/requested-points",
      "lib/pricing",
      "messages",
    ],
    imports: [],
  },
  {
    name: "browser",
    purpose: "what pages do in the browser, without a framework's components",
    places: ["lib/client", "lib/docs"],
    imports: ["plain"],
  },
  {
    name: "machine",
    purpose: "time, files, settings, addresses, JSON, and shares of what is scarce",
    places: [
      "lib/ids",
      "lib/log",
      "lib/pause",
      "lib/next-turn",
      "lib/process-alive",
      "lib/secret-file",
      "lib/data-folder",
      "lib/net",
      "lib/settings",
      "lib/secrets",
      "lib/json",
      "lib/limits",
    ],
    imports: ["plain"],
  },
  {
    name: "database",
    purpose: "PostgreSQL, and copies of it",
    places: ["lib/db", "lib/backup"],
    imports: ["lib/records", "lib/failures", "lib/errors", "machine"],
  },
  {
    name: "ledger",
    purpose: "it knows only money: nothing of HTTP, models or prices",
    places: ["lib/ledger"],
    imports: ["lib/db", "lib/failures", "lib/errors", "lib/ids", "lib/pause", "lib/points", "lib/contract/states"],
  },
  {
    name: "upstream",
    purpose: "adapters report usage; they never touch money",
    places: ["lib/upstream", "lib/sandbox"],
    imports: ["lib/records", "lib/catalog", "lib/contract", "lib/failures", "lib/errors", "machine"],
  },
  {
    name: "domain",
    purpose: "users and their keys, prices, purchases, callbacks",
    places: ["lib/accounts", "lib/callbacks", "lib/live-settings", "lib/price-book", "lib/topup"],
    imports: ["plain", "machine", "database", "ledger"],
  },
  {
    name: "requests",
    purpose: "one way for a request: who asks, rate limit, parse, run, answer",
    places: ["lib/http", "lib/idempotency"],
    imports: ["plain", "machine", "database", "domain"],
  },
  {
    name: "supply",
    purpose: "the channels to upstreams, and what orders came to",
    places: ["lib/channels", "lib/media", "lib/results"],
    imports: ["plain", "machine", "database", "upstream", "requests"],
  },
  {
    name: "observation",
    purpose: "traces and figures; nothing depends on them but the wiring",
    places: ["lib/tracing", "lib/metrics"],
    imports: ["plain", "machine", "ledger", "upstream", "requests"],
  },
  {
    name: "queries",
    purpose: "they only read; what changes something, and how a request comes in, is above them",
    places: ["lib/queries"],
    imports: ["plain", "machine", "database", "ledger", "upstream", "domain", "supply"],
  },
  {
    name: "commands",
    purpose: "a change and its record; what they work with knows nothing of them",
    places: ["lib/commands"],
    imports: ["plain", "machine", "database", "ledger", "upstream", "domain", "supply"],
  },
  {
    name: "relay",
    purpose: "the relay's endpoints",
    places: ["lib/relay"],
    imports: ["plain", "machine", "database", "ledger", "upstream", "domain", "requests", "supply"],
  },
  {
    name: "pages-api",
    purpose: "the endpoints of the pages and of the operators' pages",
    places: ["lib/pages-api"],
    imports: [
      ...["plain", "lib/docs", "machine", "database", "ledger", "upstream", "domain", "requests"],
      ...["supply", "queries", "commands"],
    ],
  },
  {
    name: "wiring",
    purpose: "where the parts are built and joined; pages enter server code here",
    places: ["lib/composition", "lib/session", "lib/playground"],
    imports: [
      ...["plain", "machine", "database", "ledger", "upstream", "domain", "requests", "supply"],
      ...["observation", "queries", "commands", "relay", "pages-api"],
    ],
  },
  {
    name: "components",
    purpose: "what pages are made of",
    places: ["components"],
    imports: ["plain", "browser"],
  },
  {
    name: "pages",
    purpose: "pages and route files: they compose and decide nothing",
    places: ["app"],
    imports: ["plain", "browser", "components", "lib/topup", "queries", "pages-api", "wiring"],
  },
  {
    name: "programs",
    purpose: "start, build and the Node server; the command line",
    places: ["server", "cli"],
    imports: [
      ...["plain", "machine", "database", "ledger", "upstream", "domain", "requests"],
      ...["supply", "queries", "commands", "wiring"],
    ],
  },
  {
    name: "helpers",
    purpose: "helpers of tests, by subject",
    places: [
      ...["testing/db", "testing/ledger", "testing/limits", "testing/media", "testing/upstream", "testing/sandbox"],
      ...["testing/accounts", "testing/callbacks", "testing/channels", "testing/cli", "testing/commands"],
      ...["testing/composition", "testing/http", "testing/patterns", "testing/product", "testing/topup"],
      ...["testing/relay", "testing/bodies", "testing/idempotency", "testing/service"],
    ],
    imports: [
      ...["plain", "browser", "machine", "database", "ledger", "upstream", "domain", "requests", "supply", "observation"],
      ...["queries", "commands", "relay", "pages-api", "wiring", "programs"],
    ],
  },
  {
    name: "tools",
    purpose: "load, attacks, and browser journeys against a whole installation",
    places: ["e2e", "bench", "testing/attack", "testing/corpus"],
    imports: [
      ...["plain", "browser", "machine", "database", "ledger", "upstream", "domain", "requests", "supply", "observation"],
      ...["queries", "commands", "relay", "pages-api", "wiring", "programs", "helpers"],
    ],
  },
];
