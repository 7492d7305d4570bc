import { layers } from "./.dependency-layers.mjs";

/**
 * The directions of the code. TypeScript is read without its compiler, which cannot tell `import type`
 * from another import: types count in every rule.
 */
const tests = "\\.test\\.tsx?$";

const under = (places) => `^(${places.join("|")})(/|\\.)`;
const allPlaces = layers.flatMap(({ places }) => places);
const ofProject = { path: "/", dependencyTypes: ["local", "undetermined"] };
const outsideOfFolders = ["^[^/]+$", "(^|/)node_modules/"];
const placed = [under(allPlaces), ...outsideOfFolders];

/** What a layer imports, as places. */
const placesOf = (imports) =>
  imports.flatMap((name) => layers.find((layer) => layer.name === name)?.places ?? [name]);

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
      to: {
        reachable: true,
        pathNot: [under(placesOf(["plain", "browser", "components"])), ...outsideOfFolders],
      },
    },
    {
      name: "frameworks-at-the-edge",
      comment: "The relay can be mounted on any server and tested bare.",
      severity: "error",
      from: {
        pathNot: [
          "^(app|components|lib/client|server|e2e)/",
          "^lib/session(/|\\.ts$)",
          "^[^/]+$",
          "node_modules",
        ],
      },
      to: { path: "(^|/)node_modules/(next|next-auth|react|react-dom)/" },
    },
    {
      name: "pure-parts-do-no-io",
      comment: "They run in the browser too: the price page and the bill come from one function.",
      severity: "error",
      from: { path: under(placesOf(["plain"])), pathNot: tests },
      to: {
        path: "(^|/)node_modules/(pg|undici|pino|@prisma)/|^(node:)?(fs|net|http|https|child_process|worker_threads|os|dns|tls)(/|$)",
      },
    },
    {
      name: "features-apart",
      comment:
        "A page's feature can be read and changed alone. What several show is in ui, forms, lists or requests.",
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
      comment:
        "A protocol imports transport and never another: each can be changed or dropped alone.",
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
      comment:
        "A folder within a folder of lib imports nothing of the folder around it, so that there is no way back.",
      severity: "error",
      from: { path: "^lib/([^/]+)/([^/]+)/", pathNot: ["^lib/(upstream|relay)/", tests] },
      to: { path: "^lib/$1/", pathNot: "^lib/$1/$2/" },
    },
    {
      name: "recorded-by-commands",
      comment:
        "A change and its record are one transaction, and one function for the pages and the command line.",
      severity: "error",
      from: { pathNot: ["^lib/commands/", "^testing/", tests] },
      to: { path: "^lib/accounts/actions\\.ts$" },
    },
    {
      name: "rows-by-noun-in-the-browser",
      comment:
        "A page loads the rows of its noun: the operators', or all of them, would be in everyone's script.",
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
        "What it changes is a command, what it shows is a query; it opens the database and hands it on.",
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
