/** The directions of the code; each rule's comment says why. */
const serverParts = "^lib/(db|ledger|relay|upstream|accounts|commands|queries|limits|http|media|net|composition)(/|\\.|$)";
const tests = "(\\.test\\.tsx?$|/testing[^/]*\\.ts$)";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "1-lib-stands-below",
      comment: "The bottom must not depend on the top.",
      severity: "error",
      from: { path: "^lib/", pathNot: tests },
      to: { path: "^(app|components|e2e|server|cli|bench|testing)/" },
    },
    {
      name: "2-components-below-pages",
      comment: "Pages compose components.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^app/" },
    },
    {
      name: "3-browser-code-apart",
      comment: "Server code must not reach a browser.",
      severity: "error",
      from: { path: "^(components|lib/client)/", pathNot: tests },
      to: { path: serverParts, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "4-frameworks-at-the-edge",
      comment: "The relay can be mounted on any server and tested bare.",
      severity: "error",
      from: {
        pathNot: [
          "^(app|components|lib/client|server|e2e)/",
          "^lib/session\\.ts$",
          "^(proxy\\.ts|next\\.config\\.mjs|next-env\\.d\\.ts)$",
          "node_modules",
        ],
      },
      to: { path: "(^|/)node_modules/(next|next-auth|react|react-dom)/" },
    },
    {
      name: "5-ledger-knows-only-money",
      comment: "It knows nothing of HTTP, models or prices; what it imports besides is plain and knows nothing of them either.",
      severity: "error",
      from: { path: "^lib/ledger/", pathNot: tests },
      to: {
        path: "^(lib|app|components|server|cli)/",
        pathNot: "^lib/(ledger|db)/|^lib/contract/states\\.ts$|^lib/(errors|ids|pause|points)\\.ts$",
      },
    },
    {
      name: "6-upstream-never-touches-money",
      comment: "Adapters report usage; they never touch money.",
      severity: "error",
      from: { path: "^lib/upstream/", pathNot: tests },
      to: { path: "^lib/(ledger|pricing|db|accounts)/" },
    },
    {
      name: "7-pure-parts-do-no-io",
      comment: "They run in the browser too: the price page and the bill come from one function.",
      severity: "error",
      from: { path: "^lib/(catalog|pricing|contract)/", pathNot: tests },
      to: {
        path: `${serverParts}|(^|/)node_modules/(pg|undici|pino|@prisma)/|^(node:)?(fs|net|http|https|child_process|worker_threads|os|dns|tls)(/|$)`,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "8-one-wiring-place",
      comment: "Server code in pages enters through the composition or the session.",
      severity: "error",
      from: { path: "^app/", pathNot: tests },
      to: { path: "^lib/(db|ledger|relay|upstream|accounts|commands|limits|media|net)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "9-no-cycles",
      comment: "What needs each other belongs together.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "10-features-apart",
      comment: "A page's feature can be read and changed alone. What several show is in ui, forms, lists or requests.",
      severity: "error",
      from: { path: "^components/([^/]+)/", pathNot: tests },
      to: { path: "^components/[^/]+/", pathNot: "^components/($1|ui|forms|lists|requests)/" },
    },
    {
      name: "11-no-cycles-between-component-folders",
      comment: "The shared folders stand in one order: ui, then forms and lists, then requests.",
      severity: "error",
      scope: "folder",
      from: { path: "^components/" },
      to: { path: "^components/", circular: true },
    },
    {
      name: "12-upstream-contract-stands-below",
      comment: "What an upstream is asked for and answers depends on no protocol; types count too.",
      severity: "error",
      from: { path: "^lib/upstream/[^/]+$", pathNot: tests },
      to: { path: "^lib/upstream/[^/]+/" },
    },
    {
      name: "13-protocols-apart",
      comment: "A protocol imports transport and never another: each can be changed or dropped alone.",
      severity: "error",
      from: { path: "^lib/upstream/([^/]+)/", pathNot: ["^lib/upstream/wiring/", tests] },
      to: { path: "^lib/upstream/[^/]+/", pathNot: "^lib/upstream/($1|transport)/" },
    },
    {
      name: "14-protocols-behind-wiring",
      comment: "Which protocol serves a channel is decided in one place.",
      severity: "error",
      from: { pathNot: ["^lib/upstream/", "^testing/", tests] },
      to: { path: "^lib/upstream/[^/]+/", pathNot: "^lib/upstream/wiring/" },
    },
    {
      name: "15-no-cycles-in-upstream",
      comment: "Types count too. Between folders, rules 12 and 13 leave no way back.",
      severity: "error",
      from: { path: "^lib/upstream/" },
      to: { circular: true, viaOnly: { path: "^lib/upstream/" } },
    },
    {
      name: "16-recorded-by-commands",
      comment: "A change and its record are one transaction, and one function for the pages and the command line.",
      severity: "error",
      from: { pathNot: ["^lib/commands/", tests] },
      to: { path: "^lib/accounts/actions\\.ts$" },
    },
    {
      name: "17-commands-stand-above",
      comment: "A command is where a request from outside begins; what it works with knows nothing of it.",
      severity: "error",
      from: { path: "^lib/", pathNot: ["^lib/(commands|operator|site|composition|session)(/|\\.)", tests] },
      to: { path: "^lib/commands/" },
    },
    {
      name: "18-no-database-in-the-command-line",
      comment: "What it changes is a command, what it shows is a query; it opens the database and hands it on.",
      severity: "error",
      from: { path: "^cli/", pathNot: ["^cli/open(-pool)?\\.ts$", tests] },
      to: { path: "^lib/db/(client|pool|transaction)\\.ts$" },
    },
    {
      name: "19-queries-only-read",
      comment: "A query answers what is there; what changes something, and how a request comes in, is above it.",
      severity: "error",
      from: { path: "^lib/queries/", pathNot: tests },
      to: { path: "^lib/(commands|http|site|operator|relay|client|session|composition)(/|\\.)" },
    },
    {
      name: "20-queries-stand-above",
      comment: "Queries are made for who shows them; what lies below, and commands too, read what they need themselves.",
      severity: "error",
      from: { path: "^lib/", pathNot: ["^lib/(queries|operator|site|session)(/|\\.)", tests] },
      to: { path: "^lib/queries/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^lib/db/generated/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".json"],
    },
  },
};
