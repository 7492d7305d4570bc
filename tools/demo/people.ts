/** Who is in the demo: users, their keys, and what each of them orders on an ordinary day. */
import type { Family } from "@/lib/contract/states";
import { MINUTE, momentOf } from "./times";

/** When orders come: in working hours, all day, after work, at night, or at school and after it. */
export type Rhythm = "office" | "always" | "evening" | "night" | "lessons";

interface Habit {
  /** The name of a key; null for the playground. */
  readonly key: string | null;
  readonly family: Family;
  /** Orders on a weekday, at scale 1. */
  readonly perDay: number;
  readonly rhythm: Rhythm;
  /** Catalogue identifiers by weight; for texts the only model. */
  readonly models: readonly (readonly [model: string, weight: number])[];
  /** Of texts. */
  readonly tokens?: {
    readonly input: number;
    readonly output: number;
    readonly cap: number | null;
  };
  readonly streamed?: number;
}

export interface KeyPlan {
  readonly name: string;
  /** Days before the end; at least the day on which its user joined by default. */
  readonly madeDaysAgo?: number;
  readonly requestsPerMinute?: number;
  readonly models?: readonly string[];
  /** Negative for days to come. */
  readonly expiresDaysAgo?: number;
  readonly revokedDaysAgo?: number;
  /** Points. */
  readonly hourlySpendMax?: number;
  /** The budget is set so that this share of it is spent at the end. */
  readonly budgetUsed?: number;
  /** Points in a month of the person's zone; set at the end. */
  readonly budgetMonth?: number;
  readonly allowedAddresses?: readonly string[];
}

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly joinedDaysAgo: number;
  /** Hours before UTC (negative) or after it. */
  readonly timeZone: number;
  /** Buys the package whenever fewer points are available; until a day before the end. */
  readonly topUp?: {
    readonly below: number;
    readonly packageName: string;
    readonly untilDaysAgo: number;
  };
  readonly keys: readonly KeyPlan[];
  readonly habits: readonly Habit[];
  /** Orders nothing from this day on. */
  readonly leftDaysAgo?: number;
}

export const DEMO_PASSWORD = "look around freely";
export const CUSTOMER = "mara@lumen-films.example";
export const OPERATOR = "robin@relay.example";
export const SECOND_OPERATOR = "sam@relay.example";

const text = "RelayV1";
const texts = [[text, 1]] as const;
const images = [["Super-Relay-Image", 1]] as const;
const chat = { input: 620, output: 340, cap: 2048 };

const video = (key: string | null, perDay: number, models: Habit["models"]): Habit => ({
  key,
  family: "video",
  perDay,
  rhythm: "office",
  models,
});
const image = (key: string | null, perDay: number, rhythm: Rhythm = "office"): Habit => ({
  key,
  family: "image",
  perDay,
  rhythm,
  models: images,
});
const texting = (
  key: string | null,
  perDay: number,
  rhythm: Rhythm,
  streamed: number,
  tokens: Habit["tokens"] = chat,
): Habit => ({ key, family: "text", perDay, rhythm, models: texts, tokens, streamed });

const customers: readonly Omit<Person, "isOperator">[] = [
  {
    name: "Mara Lindqvist",
    email: CUSTOMER,
    joinedDaysAgo: 90,
    timeZone: 1,
    topUp: { below: 3500, packageName: "Studio", untilDaysAgo: 0 },
    keys: [
      {
        name: "Production",
        requestsPerMinute: 600,
        budgetMonth: 20_000,
        allowedAddresses: ["203.0.113.0/24", "198.51.100.77"],
      },
      { name: "Render farm", models: ["super-relay-2", "super-relay-2.5"], budgetUsed: 0.93 },
      { name: "Storyboards", madeDaysAgo: 61, models: ["super-relay-img"], expiresDaysAgo: -4 },
      { name: "Night batch", madeDaysAgo: 40, hourlySpendMax: 25 },
      { name: "Freelance edit", madeDaysAgo: 70, expiresDaysAgo: 12 },
      { name: "First tests", revokedDaysAgo: 66 },
    ],
    habits: [
      texting("Production", 42, "office", 0.6),
      texting(null, 7, "office", 1, { input: 260, output: 420, cap: null }),
      texting("Night batch", 6, "night", 0, { input: 2400, output: 700, cap: 4096 }),
      video("Production", 1.6, [
        ["Super-Relay2.0", 3],
        ["Super-Relay2.0Fast", 4],
        ["Super-Relay1.5", 2],
      ]),
      video("Render farm", 0.6, [
        ["Super-Relay2.0", 2],
        ["Super-Relay2.5", 3],
      ]),
      video(null, 0.9, [
        ["Super-Relay2.5", 2],
        ["Super-RelayFast", 2],
        ["Super-Relay", 1],
      ]),
      image("Storyboards", 1.1),
      image(null, 0.5, "evening"),
    ],
  },
  {
    name: "Daniel Okafor",
    email: "daniel@harborware.example",
    joinedDaysAgo: 91,
    timeZone: 0,
    topUp: { below: 1500, packageName: "Studio", untilDaysAgo: 0 },
    keys: [
      { name: "Support desk", requestsPerMinute: 1200 },
      { name: "Staging", budgetUsed: 0.55 },
      { name: "Nightly evaluation", madeDaysAgo: 58 },
    ],
    habits: [
      texting("Support desk", 175, "always", 0.25),
      texting("Staging", 26, "office", 0.4),
      texting("Nightly evaluation", 22, "night", 0, { input: 1800, output: 240, cap: 512 }),
    ],
  },
  {
    name: "Yuki Tanabe",
    email: "yuki@kitsune-games.example",
    joinedDaysAgo: 84,
    timeZone: 9,
    topUp: { below: 800, packageName: "Studio", untilDaysAgo: 0 },
    keys: [{ name: "Concept art" }, { name: "Dialogue tool" }],
    habits: [
      image("Concept art", 3.2),
      texting("Dialogue tool", 13, "office", 0.7),
      video(null, 0.3, [["Super-RelayFast", 1]]),
    ],
  },
  {
    name: "Priya Raman",
    email: "priya@atlas-learning.example",
    joinedDaysAgo: 76,
    timeZone: 5.5,
    topUp: { below: 600, packageName: "Starter", untilDaysAgo: 0 },
    keys: [{ name: "Tutor", requestsPerMinute: 900 }, { name: "Course writer" }],
    habits: [
      texting("Tutor", 118, "lessons", 0.95, { input: 900, output: 280, cap: 1024 }),
      texting("Course writer", 9, "office", 0.3, { input: 1500, output: 1100, cap: 4096 }),
      texting(null, 4, "evening", 1, { input: 300, output: 380, cap: null }),
    ],
  },
  {
    name: "Tomás Herrera",
    email: "tomas@solano-travel.example",
    joinedDaysAgo: 63,
    timeZone: -3,
    topUp: { below: 900, packageName: "Starter", untilDaysAgo: 6 },
    keys: [{ name: "Website" }, { name: "Destination clips", budgetUsed: 0.8 }],
    habits: [
      texting("Website", 27, "always", 0.8),
      video("Destination clips", 0.7, [
        ["Super-Relay1.5", 2],
        ["Super-RelayFast", 3],
      ]),
      image("Website", 0.5),
    ],
  },
  {
    name: "陈薇",
    email: "chen.wei@qinghe-media.example",
    joinedDaysAgo: 80,
    timeZone: 8,
    topUp: { below: 2500, packageName: "Studio", untilDaysAgo: 0 },
    keys: [
      { name: "短视频后台", requestsPerMinute: 300 },
      { name: "测试", budgetUsed: 0.35 },
    ],
    habits: [
      texting("短视频后台", 58, "always", 0.5),
      texting("测试", 4, "office", 0.5),
      video("短视频后台", 0.9, [
        ["Super-Relay2.0Fast", 3],
        ["Super-Relay", 1],
      ]),
      image("短视频后台", 0.9),
    ],
  },
  {
    name: "Ava Mitchell",
    email: "ava@mitchell-brothers.example",
    joinedDaysAgo: 71,
    timeZone: -5,
    keys: [{ name: "Bot" }],
    habits: [texting("Bot", 24, "evening", 0), video("Bot", 0.4, [["Super-RelayFast", 1]])],
    leftDaysAgo: 27,
  },
  {
    name: "Jonas Weber",
    email: "jonas@weber-tools.example",
    joinedDaysAgo: 55,
    timeZone: 1,
    keys: [{ name: "Notebook" }],
    // Has used up the welcome points.
    habits: [texting("Notebook", 18, "evening", 0.2, { input: 3000, output: 2900, cap: 8192 })],
  },
  {
    name: "Olu Adeyemi",
    email: "olu@brightpath.example",
    joinedDaysAgo: 5,
    timeZone: 1,
    keys: [{ name: "First key" }],
    habits: [texting("First key", 8, "office", 0.5), image(null, 0.6, "evening")],
  },
];

const operators: readonly Omit<Person, "isOperator">[] = [
  {
    name: "Robin Vale",
    email: OPERATOR,
    joinedDaysAgo: 92,
    timeZone: 1,
    keys: [{ name: "Checks" }],
    habits: [texting("Checks", 3, "office", 0.5, { input: 90, output: 40, cap: 64 })],
  },
  { name: "Sam Ito", email: SECOND_OPERATOR, joinedDaysAgo: 88, timeZone: 1, keys: [], habits: [] },
];

export const people: readonly Person[] = [
  ...operators.map((person) => ({ ...person, isOperator: true })),
  ...customers.map((person) => ({ ...person, isOperator: false })),
];

/** When a user signs up. */
export const joinedAt = (end: number, { joinedDaysAgo, timeZone }: Person): number =>
  momentOf(end, joinedDaysAgo, 11 - timeZone / 2);

/** When a key is created. */
export function keyMadeAt(end: number, person: Person, key: KeyPlan): number {
  const order = person.keys.indexOf(key);
  return key.madeDaysAgo === undefined
    ? joinedAt(end, person) + (order + 1) * 7 * MINUTE
    : momentOf(end, key.madeDaysAgo, 12 - person.timeZone / 2);
}

/** When a key ends: revoked or expired; never otherwise. */
export function keyEndsAt(end: number, key: KeyPlan): number {
  const days = key.revokedDaysAgo ?? key.expiresDaysAgo;
  return days === undefined ? Number.POSITIVE_INFINITY : momentOf(end, days, 12);
}
