/** Tests of the chart's nightly Job that archives and drops old requests, where helm is there. */
import { describe, expect, test } from "vitest";
import {
  chartFolder,
  findHelm,
  findKubernetesSchemas,
  ofKind,
  render,
  runHelm,
} from "@/testing/deploy/helm";
import { openKubernetesSchemas } from "@/testing/deploy/kubernetes-schemas";

const helm = findHelm();
const schemas = findKubernetesSchemas();
const base = { settings: { PUBLIC_URL: "https://relay.example.com" } };
const retained = {
  ...base,
  settings: {
    ...base.settings,
    S3_ENDPOINT: "https://s3.example.com",
    RELAY_KEEP_REQUEST_MONTHS: 12,
  },
  retention: { enabled: true, schedule: "15 2 * * *" },
};
const objects = (values: object) => render(helm ?? "", values);

describe.skipIf(helm === undefined)("retention with helm", () => {
  test("helm finds no fault, and Kubernetes accepts the form", () => {
    const { ok, text } = runHelm(helm ?? "", ["lint", "--strict", chartFolder], retained);
    expect(ok, text).toBe(true);
    if (schemas === undefined) return;
    const check = openKubernetesSchemas(schemas);
    for (const manifest of objects(retained)) expect(check(manifest)).toEqual([]);
  });

  test.each([
    [
      "retention without a number of months",
      { ...retained, settings: { ...base.settings, S3_ENDPOINT: "https://s3.example.com" } },
      "RELAY_KEEP_REQUEST_MONTHS must be set",
    ],
    [
      "retention whose files would be lost",
      { ...retained, settings: { ...base.settings, RELAY_KEEP_REQUEST_MONTHS: 12 } },
      "S3_ENDPOINT must be set",
    ],
  ])("%s is refused", (_name, values, message) => {
    expect(() => objects(values)).toThrow(message);
  });

  test("its pod runs as an ordinary user without rights, token or writable root", () => {
    const [job = {}] = ofKind(objects(retained), "CronJob");
    expect(job).toMatchObject({
      spec: {
        jobTemplate: {
          spec: {
            template: {
              spec: {
                automountServiceAccountToken: false,
                securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
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
        },
      },
    });
  });

  test("the nightly Job that drops old requests has the owner's address, and a folder of its own", () => {
    expect(ofKind(objects(base), "CronJob")).toEqual([]);
    const holders = objects(retained).filter((one) =>
      JSON.stringify(one).includes("DATABASE_OWNER_URL"),
    );
    expect(holders.map(({ kind }) => kind).toSorted()).toEqual(["CronJob", "Job"]);
    expect(ofKind(holders, "CronJob")).toMatchObject([
      {
        spec: {
          schedule: "15 2 * * *",
          concurrencyPolicy: "Forbid",
          jobTemplate: {
            spec: {
              backoffLimit: 0,
              template: {
                spec: {
                  containers: [
                    {
                      args: ["node", "dist/relay.mjs", "archive", "keep"],
                      env: expect.arrayContaining([
                        { name: "RELAY_KEEP_REQUEST_MONTHS", value: "12" },
                        { name: "RELAY_DATA_DIR", value: "/data/relay" },
                      ]),
                    },
                  ],
                  volumes: expect.arrayContaining([
                    { name: "data", emptyDir: { sizeLimit: "64Mi" } },
                  ]),
                },
              },
            },
          },
        },
      },
    ]);
  });
});
