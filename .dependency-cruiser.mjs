import { layers } from "./.dependency-layers.mjs";

/**
 * The allowed imports between folders. TypeScript files are read without the compiler, so `import
 * type` cannot be told from other imports: types count in every rule.
 */
const tests = "\\.test\\.tsx?$";

const under = (places) => `^(${places.join("|")})(/|\\.)`;
const allPlaces = layers.flatMap(({ places }) => places);
const ofProject = { path: "/", dependencyTypes: ["local", "undetermined"] };
const outsideOfFolders = ["^[^/]+$", "(^|/)node_modules/"];
const placed = [under(allPlaces), ...outsideOfFolders];

/** The places that a layer may import. */
const placesOf = (imports) =>
  imports.flatMap((name) => layers.find((layer) => layer.name === name)?.places ?? [name]);

/** Where what a browser loads may stand. */
const browserPlaces = under(placesOf(["plain", "browser", "components"]));

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
  comment: "A folder outside the list of layers may import nothing and may not be imported.",
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
      comment: "Files that need each other belong in one file, or in another order.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "browser-code-apart",
      comment: "Server code must not reach a browser, directly or indirectly.",
      severity: "error",
      // Whatever a browser's file reaches is among these places, so an import that leaves them is the only way out.
      from: { path: browserPlaces, pathNot: tests },
      // What stands outside of lib is reached by an import that breaks a layer, or one of the next two rules.
      to: { path: "^lib/", pathNot: browserPlaces },
    },
    {
      name: "tests-are-not-imported",
      comment: "What tests share is below testing/.",
      severity: "error",
      from: { pathNot: tests },
      to: { path: tests },
    },
    {
      name: "no-root-files-in-the-browser",
      comment: "They are settings of tools, or start the server.",
      severity: "error",
      from: { path: browserPlaces },
      to: { dependencyTypes: ["local"], path: "^[^/]+$" },
    },
    {
      name: "frameworks-at-the-edge",
      comment: "The relay must run on any server, and be testable without a framework.",
      severity: "error",
      from: {
        pathNot: [
          "^(app|components|lib/client|server|e2e)/",
          "^lib/session/",
          "^[^/]+$",
          "node_modules",
        ],
      },
      to: { path: "(^|/)node_modules/(next|next-auth|react|react-dom)/" },
    },
    {
      name: "pure-parts-do-no-io",
      comment:
        "They also run in the browser, where the price page uses the function that computes charges.",
      severity: "error",
      from: { path: under(placesOf(["plain"])), pathNot: tests },
      to: {
        path: "(^|/)node_modules/(pg|undici|pino|@prisma)/|^(node:)?(fs|net|http|https|child_process|worker_threads|os|dns|tls)(/|$)",
      },
    },
    {
      name: "features-apart",
      comment:
        "Each feature can be read and changed alone. Shared parts are in ui, forms, lists, requests or catalog.",
      severity: "error",
      from: { path: "^components/([^/]+)/", pathNot: tests },
      to: {
        path: "^components/[^/]+/",
        pathNot: "^components/($1|ui|forms|lists|requests|catalog)/",
      },
    },
    {
      name: "no-cycles-between-component-folders",
      comment:
        "The shared folders have an order: ui, then forms and lists, then requests, then catalog.",
      severity: "error",
      scope: "folder",
      from: { path: "^components/" },
      to: { path: "^components/", circular: true },
    },
    {
      name: "upstream-contract-stands-below",
      comment: "The interface of upstreams must not depend on a protocol.",
      severity: "error",
      from: { path: "^lib/upstream/[^/]+$", pathNot: tests },
      to: { path: "^lib/upstream/[^/]+/" },
    },
    {
      name: "protocols-apart",
      comment:
        "A protocol imports transport and no other protocol, so that each can be changed or removed alone.",
      severity: "error",
      from: { path: "^lib/upstream/([^/]+)/", pathNot: ["^lib/upstream/wiring/", tests] },
      to: { path: "^lib/upstream/[^/]+/", pathNot: "^lib/upstream/($1|transport)/" },
    },
    {
      name: "protocols-behind-wiring",
      comment: "One place decides which protocol serves a channel.",
      severity: "error",
      from: { pathNot: ["^lib/upstream/", "^testing/", tests] },
      to: { path: "^lib/upstream/[^/]+/", pathNot: "^lib/upstream/wiring/" },
    },
    {
      name: "dialect-contract-stands-below",
      comment: "What a dialect is must not depend on one.",
      severity: "error",
      from: { path: "^lib/dialects/[^/]+$", pathNot: tests },
      to: { path: "^lib/dialects/[^/]+/" },
    },
    {
      name: "dialects-apart",
      comment: "Each dialect can be changed or removed alone.",
      severity: "error",
      from: { path: "^lib/dialects/([^/]+)/", pathNot: tests },
      to: { path: "^lib/dialects/[^/]+/", pathNot: "^lib/dialects/$1/" },
    },
    {
      name: "relay-families-apart",
      comment: "Code that families share is in order/, which depends on none of them.",
      severity: "error",
      from: { path: "^lib/relay/([^/]+)/", pathNot: tests },
      to: { path: "^lib/relay/", pathNot: "^lib/relay/($1|order)/" },
    },
    {
      name: "inner-folders-stand-below",
      comment:
        "A subfolder in lib imports nothing from its parent folder, so that no cycle can form. The upgrade goes again.",
      severity: "error",
      from: {
        path: "^lib/([^/]+)/([^/]+)/",
        pathNot: ["^lib/(upstream|relay|dialects|ledger|db/upgrade)/", tests],
      },
      to: { path: "^lib/$1/", pathNot: "^lib/$1/$2/" },
    },
    {
      name: "the-ledgers-core-stands-alone",
      comment: "What moves points knows neither the audit nor sums nor archives.",
      severity: "error",
      from: { path: "^lib/ledger/core/", pathNot: tests },
      to: { path: "^lib/ledger/", pathNot: "^lib/ledger/core/" },
    },
    {
      name: "the-ledgers-rooms-do-not-import-its-door",
      comment: "`ledger.ts` puts them together.",
      severity: "error",
      from: { path: "^lib/ledger/([^/]+)/", pathNot: tests },
      to: { path: "^lib/ledger/[^/]+$" },
    },
    {
      name: "recorded-by-commands",
      comment:
        "Pages and command line share one function, in which a change and its record are one transaction.",
      severity: "error",
      from: { pathNot: ["^lib/commands/", "^testing/", tests] },
      to: { path: "^lib/accounts/actions\\.ts$" },
    },
    {
      name: "rows-by-noun-in-the-browser",
      comment:
        "A page loads only the rows of its noun; otherwise every user would download all rows.",
      severity: "error",
      from: {
        path: "^(components|lib/client)/",
        pathNot: ["^components/operator/", "^lib/client/operator", tests],
      },
      to: { path: "^lib/contract/(page-endpoints|operator[^/]*)\\.ts$" },
    },
    {
      name: "no-database-in-the-command-line",
      comment:
        "The command line changes data through commands and reads it through queries. It only opens the database for them.",
      severity: "error",
      from: { path: "^cli/", pathNot: ["^cli/open(-pool)?\\.ts$", tests] },
      to: { path: "^lib/db/(client|pool|transaction)\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: "^(lib/db/generated|\\.[^./][^/]*|dist|coverage|test-results|playwright-report)/",
    },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".json"],
    },
  },
};
