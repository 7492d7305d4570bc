/** The directions of the code. TypeScript is read without its compiler: `import type` counts in every rule. */
const tests = "(\\.test\\.tsx?$|/testing[^/]*\\.ts$)";

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
    imports: ["lib/failures", "lib/errors", "machine"],
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
    imports: ["lib/catalog", "lib/contract", "lib/failures", "lib/errors", "machine"],
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
    name: "tools",
    purpose: "helpers of tests, load, attacks, and browser journeys against a whole installation",
    places: ["e2e", "bench", "testing"],
    imports: [
      ...["plain", "browser", "machine", "database", "ledger", "upstream", "domain", "requests", "supply", "observation"],
      ...["queries", "commands", "relay", "pages-api", "wiring", "programs"],
    ],
  },
];

const under = (places) => `^(${places.join("|")})(/|\\.)`;
const allPlaces = layers.flatMap(({ places }) => places);
const ofProject = { path: "/", dependencyTypes: ["local", "undetermined"] };
const outsideOfFolders = ["^[^/]+$", "(^|/)node_modules/"];
const placed = [under(allPlaces), ...outsideOfFolders];

/** What a layer imports, as places. */
const placesOf = (imports) => imports.flatMap((name) => layers.find((layer) => layer.name === name)?.places ?? [name]);

const layerRules = layers.flatMap(({ name, purpose, places, imports }) =>
  places.map((place, index) => ({
    name: `layer-${name}`,
    comment: `The layer "${name}": ${purpose}.`,
    severity: "error",
    from: { path: under([place]), pathNot: tests },
    to: { ...ofProject, pathNot: under([...placesOf(imports), ...places.slice(0, index + 1)]) },
  })),
);

const everyFolderHasALayer = {
  name: "every-folder-has-a-layer",
  comment: "A folder that the list of layers does not name may import nothing and not be imported.",
  severity: "error",
};

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { ...everyFolderHasALayer, from: { pathNot: placed }, to: {} },
    { ...everyFolderHasALayer, from: {}, to: { ...ofProject, pathNot: placed } },
    { ...everyFolderHasALayer, from: { orphan: true, pathNot: placed }, to: {} },
    ...layerRules,
    {
      name: "no-cycles",
      comment: "What needs each other belongs together.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "browser-code-apart",
      comment: "Server code must not reach a browser, neither directly nor through others.",
      severity: "error",
      from: { path: under(placesOf(["components", "browser"])), pathNot: tests },
      to: { reachable: true, pathNot: [under(placesOf(["plain", "browser", "components"])), ...outsideOfFolders] },
    },
    {
      name: "frameworks-at-the-edge",
      comment: "The relay can be mounted on any server and tested bare.",
      severity: "error",
      from: { pathNot: ["^(app|components|lib/client|server|e2e)/", "^lib/session(/|\\.ts$)", "^[^/]+$", "node_modules"] },
      to: { path: "(^|/)node_modules/(next|next-auth|react|react-dom)/" },
    },
    {
      name: "pure-parts-do-no-io",
      comment: "They run in the browser too: the price page and the bill come from one function.",
      severity: "error",
      from: { path: under(placesOf(["plain"])), pathNot: tests },
      to: { path: "(^|/)node_modules/(pg|undici|pino|@prisma)/|^(node:)?(fs|net|http|https|child_process|worker_threads|os|dns|tls)(/|$)" },
    },
    {
      name: "features-apart",
      comment: "A page's feature can be read and changed alone. What several show is in ui, forms, lists or requests.",
      severity: "error",
      from: { path: "^components/([^/]+)/", pathNot: tests },
      to: { path: "^components/[^/]+/", pathNot: "^components/($1|ui|forms|lists|requests)/" },
    },
    {
      name: "no-cycles-between-component-folders",
      comment: "The shared folders stand in one order: ui, then forms and lists, then requests.",
      severity: "error",
      scope: "folder",
      from: { path: "^components/" },
      to: { path: "^components/", circular: true },
    },
    {
      name: "upstream-contract-stands-below",
      comment: "What an upstream is asked for and answers depends on no protocol.",
      severity: "error",
      from: { path: "^lib/upstream/[^/]+$", pathNot: tests },
      to: { path: "^lib/upstream/[^/]+/" },
    },
    {
      name: "protocols-apart",
      comment: "A protocol imports transport and never another: each can be changed or dropped alone.",
      severity: "error",
      from: { path: "^lib/upstream/([^/]+)/", pathNot: ["^lib/upstream/wiring/", tests] },
      to: { path: "^lib/upstream/[^/]+/", pathNot: "^lib/upstream/($1|transport)/" },
    },
    {
      name: "protocols-behind-wiring",
      comment: "Which protocol serves a channel is decided in one place.",
      severity: "error",
      from: { pathNot: ["^lib/upstream/", "^testing/", tests] },
      to: { path: "^lib/upstream/[^/]+/", pathNot: "^lib/upstream/wiring/" },
    },
    {
      name: "relay-families-apart",
      comment: "What two families share is in order/, which knows neither of them.",
      severity: "error",
      from: { path: "^lib/relay/([^/]+)/", pathNot: tests },
      to: { path: "^lib/relay/", pathNot: "^lib/relay/($1|order)/" },
    },
    {
      name: "inner-folders-stand-below",
      comment: "A folder within a folder of lib imports nothing of the folder around it, so that there is no way back.",
      severity: "error",
      from: { path: "^lib/([^/]+)/([^/]+)/", pathNot: ["^lib/(upstream|relay)/", tests] },
      to: { path: "^lib/$1/", pathNot: "^lib/$1/$2/" },
    },
    {
      name: "recorded-by-commands",
      comment: "A change and its record are one transaction, and one function for the pages and the command line.",
      severity: "error",
      from: { pathNot: ["^lib/commands/", tests] },
      to: { path: "^lib/accounts/actions\\.ts$" },
    },
    {
      name: "rows-by-noun-in-the-browser",
      comment: "A page loads the rows of its noun: the operators', or all of them, would be in everyone's script.",
      severity: "error",
      from: { path: "^(components|lib/client)/", pathNot: ["^components/operator/", "^lib/client/operator", tests] },
      to: { path: "^lib/contract/(page-endpoints|operator[^/]*)\\.ts$" },
    },
    {
      name: "no-database-in-the-command-line",
      comment: "What it changes is a command, what it shows is a query; it opens the database and hands it on.",
      severity: "error",
      from: { path: "^cli/", pathNot: ["^cli/open(-pool)?\\.ts$", tests] },
      to: { path: "^lib/db/(client|pool|transaction)\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(lib/db/generated|\\.[^./][^/]*|dist|coverage|test-results|playwright-report)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".json"],
    },
  },
};
