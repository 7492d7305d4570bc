/**
 * Tests of the Helm chart. The first ones only read its files. Those that render it are skipped
 * where helm is missing, and the check of forms where Kubernetes' schemas are missing too;
 * CONTRIBUTING.md says how to get both.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { settingsSchema } from "@/lib/settings/settings";
import {
  chartFolder,
  findHelm,
  findKubernetesSchemas,
  ofKind,
  read,
  render,
  runHelm,
} from "@/testing/deploy/helm";
import { openKubernetesSchemas } from "@/testing/deploy/kubernetes-schemas";
import { isWhole } from "@/testing/extent/extent";

const readChart = (path: string) => read(join("deploy/helm/relay", path));
const valuesSchema: unknown = JSON.parse(readChart("values.schema.json"));
const { settings: plainSettings } = z
  .object({
    properties: z.object({ settings: z.object({ properties: z.record(z.string(), z.unknown()) }) }),
  })
  .transform(({ properties }) => ({ settings: Object.keys(properties.settings.properties) }))
  .parse(valuesSchema);
const [, secretBlock = ""] =
  /define "relay.secretSettings" -}}\n([\s\S]*?)\n\{\{- end/.exec(
    readChart("templates/_settings.tpl"),
  ) ?? [];
const secretSettings = secretBlock.split(/\s+/);
/** Set by the chart's own values, by the image, or only in the migration's Job. */
const ownSettings = ["PORT", "HOST", "RELAY_DATA_DIR", "RELAY_PROCESSES", "DATABASE_OWNER_URL"];

describe("the chart's files", () => {
  test("each setting of .env.example is a value, comes from the Secret, or is set by the chart, and no other is", () => {
    const documented = [...read(".env.example").matchAll(/^#([A-Z0-9_]+)=/gm)].map(
      ([, name = ""]) => name,
    );
    expect(documented.toSorted()).toEqual(Object.keys(settingsSchema.shape).toSorted());
    const all = [...plainSettings, ...secretSettings, ...ownSettings];
    expect(new Set(all).size).toBe(all.length);
    // The number of processes is set also for an image that knows only one.
    expect([...new Set([...documented, "RELAY_PROCESSES"])].toSorted()).toEqual(all.toSorted());
    const isSecret = /SECRET|TOKEN|ACCESS_KEY|HEADERS|^(DATABASE|REDIS|SMTP)_URL/;
    expect(plainSettings.filter((name) => isSecret.test(name))).toEqual([]);
    expect(secretSettings.filter((name) => !isSecret.test(name))).toEqual([]);
  });

  test("its defaults fit its schema, and its templates use only values that exist", () => {
    const values: unknown = parse(readChart("values.yaml"));
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
      z.record(z.string(), z.unknown()).parse(valuesSchema),
    );
    expect(validate(values), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ settings: { PUBLIC_ULR: "https://relay.example.com" } })).toBe(false);
    const templates = readdirSync(join(chartFolder, "templates"));
    expect(templates).toContain("workload.yaml");
    const used = templates.flatMap((file) =>
      [...readChart(`templates/${file}`).matchAll(/\.Values\.([\w.]+)/g)].map(
        ([, path = ""]) => path,
      ),
    );
    expect(used.length).toBeGreaterThan(30);
    const settingNames = plainSettings.map((name) => `settings.${name}`);
    for (const path of used)
      if (!settingNames.includes(path)) expect(values, path).toHaveProperty(path.split("."));
  });

  test("it agrees with the image and the product", () => {
    const chart: unknown = parse(readChart("Chart.yaml"));
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));
    expect(chart).toMatchObject({ version, appVersion: version });
    const pod = readChart("templates/_pod.tpl");
    const dockerfile = read("Dockerfile");
    expect(dockerfile).toContain("PORT=3000");
    expect(pod).toContain("containerPort: 3000");
    expect(pod).toContain(`mountPath: ${/VOLUME (\S+)/.exec(dockerfile)?.[1]}\n`);
    const [, scratch = ""] = /tmpfs: \[(.*)\]/.exec(read("compose.yaml")) ?? [];
    expect(scratch.split(", ")).toHaveLength(2);
    for (const folder of scratch.split(", ")) expect(pod).toContain(`mountPath: ${folder}\n`);
    // What the product may need after SIGTERM, in seconds: see the sum in its own constants.
    const composition = read("lib/composition/composition.ts");
    const [grace, abort] = ["GRACE_MS", "ABORT_MS"].map((name) =>
      Number(new RegExp(`${name} = ([\\d_]+);`).exec(composition)?.[1]?.replace("_", "")),
    );
    expect((grace ?? Number.NaN) + (abort ?? Number.NaN)).toBeLessThanOrEqual(30_000);
    expect(pod).toContain("add .Values.drain.leaveSeconds 40");
  });
});

const helm = findHelm();
const schemas = findKubernetesSchemas();
const base = { settings: { PUBLIC_URL: "https://relay.example.com" } };
const behindIngress = {
  ingress: { enabled: true, host: "relay.example.com", tlsSecret: "relay-tls" },
  settings: { RELAY_TRUSTED_PROXIES: "10.0.0.0/8", RELAY_WELCOME_POINTS: "1000000" },
};
const installations = {
  "the smallest": base,
  "behind an Ingress": behindIngress,
  "with volumes and autoscaling": {
    ...behindIngress,
    persistence: { enabled: true, storageClass: "fast" },
    autoscaling: { enabled: true },
    image: { digest: `sha256:${"0".repeat(64)}` },
  },
  "with everything else set": {
    ...base,
    imagePullSecrets: [{ name: "registry" }],
    podAnnotations: { "prometheus.io/scrape": "true" },
    podLabels: { team: "relay" },
    nodeSelector: { disk: "ssd" },
    tolerations: [{ key: "relay", operator: "Exists" }],
    affinity: { nodeAffinity: {} },
    priorityClassName: "high",
    service: { annotations: { a: "b" } },
    disruptionBudget: { maxUnavailable: "25%" },
  },
};

const objects = (values: object) => render(helm ?? "", values);

describe.skipIf(helm === undefined || !isWhole)("helm and Kubernetes", () => {
  test.each(Object.entries(installations))("helm finds no fault with %s", (_name, values) => {
    const { ok, text } = runHelm(helm ?? "", ["lint", "--strict", chartFolder], values);
    expect(ok, text).toBe(true);
  });

  test.each([
    [
      "a setting that does not exist",
      { settings: { PUBLIC_ULR: "https://a.example" } },
      "PUBLIC_ULR",
    ],
    ["a setting that is a secret", { settings: { RELAY_SECRET: "x".repeat(32) } }, "RELAY_SECRET"],
    ["no address", {}, "PUBLIC_URL must be set"],
    [
      "an Ingress whose controller is not trusted",
      { ingress: { enabled: true, host: "relay.example.com" } },
      "RELAY_TRUSTED_PROXIES must be set",
    ],
    ["a drain that would be cut", { ...base, drain: { seconds: 44 } }, "at least 45"],
  ])("%s is refused", (_name, values, message) => {
    expect(() => objects(values)).toThrow(message);
  });

  test.skipIf(schemas === undefined)("every object has a form that Kubernetes accepts", () => {
    const check = openKubernetesSchemas(schemas ?? "");
    for (const [name, values] of Object.entries(installations))
      for (const manifest of objects(values)) expect(check(manifest), name).toEqual([]);
    const [service = {}] = ofKind(objects(base), "Service");
    expect(check({ ...service, spec: { port: 80 } })).toEqual([expect.stringContaining("port")]);
    expect(check({ ...service, spec: { ports: [{ port: "http" }] } })).toHaveLength(1);
    expect(check({ ...service, apiVersion: "v9" })).toEqual(["there is no v9 Service"]);
  });
});

describe.skipIf(helm === undefined || !isWhole)("what helm makes of it", () => {
  test("every pod runs as an ordinary user without rights, token or writable root, as the profile «restricted» demands", () => {
    for (const values of Object.values(installations)) {
      const pods = ["Deployment", "StatefulSet", "Job"].flatMap((kind) =>
        ofKind(objects(values), kind),
      );
      expect(pods).toHaveLength(2);
      for (const pod of pods)
        expect(pod).toMatchObject({
          spec: {
            template: {
              spec: {
                automountServiceAccountToken: false,
                securityContext: {
                  runAsNonRoot: true,
                  runAsUser: 1000,
                  fsGroup: 1000,
                  seccompProfile: { type: "RuntimeDefault" },
                },
                containers: [
                  {
                    securityContext: {
                      allowPrivilegeEscalation: false,
                      readOnlyRootFilesystem: true,
                      capabilities: { drop: ["ALL"] },
                    },
                    resources: { requests: { cpu: expect.any(String) }, limits: {} },
                  },
                ],
              },
            },
          },
        });
      expect(ofKind(objects(values), "ServiceAccount")).toMatchObject([
        { automountServiceAccountToken: false },
      ]);
      expect(ofKind(objects(values), "Secret")).toEqual([]);
    }
  });

  test("only the migration, which runs before everything else, gets the owner's address of the database", () => {
    const all = objects(behindIngress);
    const holders = all.filter((one) => JSON.stringify(one).includes("DATABASE_OWNER_URL"));
    expect(holders).toMatchObject([
      {
        kind: "Job",
        metadata: { annotations: { "helm.sh/hook": "pre-install,pre-upgrade" } },
        spec: {
          template: {
            spec: { containers: [{ args: ["node", "dist/relay.mjs", "database", "migrate"] }] },
          },
        },
      },
    ]);
    // A hook runs before the chart's objects exist, so it may not name one.
    expect(JSON.stringify(holders)).not.toMatch(/serviceAccountName|configMap/);
    expect(JSON.stringify(all)).toContain('{"name":"RELAY_WELCOME_POINTS","value":"1000000"}');
    expect(ofKind(objects({ ...base, migration: { enabled: false } }), "Job")).toEqual([]);
  });

  test("a pod is drained for 45 s after it has left the Service, and nothing between it and a client buffers", () => {
    const all = objects(behindIngress);
    expect(ofKind(all, "Deployment")).toMatchObject([
      {
        spec: {
          replicas: 2,
          strategy: { rollingUpdate: { maxUnavailable: 0 } },
          template: {
            spec: {
              terminationGracePeriodSeconds: 45,
              containers: [
                {
                  lifecycle: { preStop: { exec: { command: ["sleep", "5"] } } },
                  startupProbe: { httpGet: { path: "/healthz" } },
                  livenessProbe: { httpGet: { path: "/healthz" } },
                  readinessProbe: { httpGet: { path: "/readyz" } },
                  env: expect.arrayContaining([{ name: "RELAY_PROCESSES", value: "1" }]),
                },
              ],
            },
          },
        },
      },
    ]);
    expect(ofKind(all, "PodDisruptionBudget")).toMatchObject([{ spec: { maxUnavailable: 1 } }]);
    const annotation = (name: string) => `nginx.ingress.kubernetes.io/${name}`;
    expect(ofKind(all, "Ingress")).toMatchObject([
      {
        metadata: {
          annotations: {
            [annotation("proxy-buffering")]: "off",
            [annotation("proxy-request-buffering")]: "off",
            [annotation("proxy-next-upstream")]: "off",
            [annotation("proxy-read-timeout")]: "660",
          },
        },
      },
    ]);
    expect(ofKind(all, "HorizontalPodAutoscaler")).toEqual([]);
  });

  test("with volumes each pod keeps its own, and the autoscaler alone decides their number", () => {
    const all = objects(installations["with volumes and autoscaling"]);
    const [set = {}] = ofKind(all, "StatefulSet");
    expect(set).toMatchObject({
      spec: {
        serviceName: "shop-relay-pods",
        volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { storageClassName: "fast" } }],
      },
    });
    expect(set).not.toHaveProperty(["spec", "replicas"]);
    expect(ofKind(all, "Service").map(({ metadata }) => metadata)).toMatchObject([
      { name: "shop-relay" },
      { name: "shop-relay-pods" },
    ]);
    expect(ofKind(all, "HorizontalPodAutoscaler")).toMatchObject([
      { spec: { scaleTargetRef: { kind: "StatefulSet", name: "shop-relay" } } },
    ]);
  });
});
