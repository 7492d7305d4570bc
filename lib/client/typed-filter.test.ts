import { expect, test } from "vitest";
import { readFilter, writeFilter } from "./typed-filter";

const of = (...names: string[]) => names.map((name) => ({ id: name, name }));
const known = {
  models: of("Super-Relay2.0", "Super-Relay2.5", "RelayV1"),
  keys: [
    { id: "key_1", name: "production" },
    { id: "key_2", name: "night build" },
  ],
  members: of("ann@example.com"),
  dialects: of("messages", "responses"),
};
const valuesOf = (line: string) => readFilter(line, known).values;
const problemOf = (line: string) => readFilter(line, known).problem;

test("a line names states, models, keys, members, APIs and points, in any order", () => {
  expect(valuesOf("status:failed model:2.5 > 200 points")).toEqual({
    status: "released",
    model: "Super-Relay2.5",
    pointsMin: "200",
  });
  expect(valuesOf('<=0.5 key:"night build" API:messages Member:ann status:running')).toEqual({
    pointsMax: "0.5",
    key: "key_2",
    dialect: "messages",
    member: "ann@example.com",
    status: "held",
  });
  expect(valuesOf("key:none")).toEqual({ key: "none" });
  const id = `req_${"0".repeat(26)}`;
  expect(valuesOf(id)).toEqual({ request: id });
  expect(valuesOf("  ")).toEqual({});
});

test("the first word that is not understood is named with what is wrong", () => {
  expect(problemOf("model:2.5 status:odd")).toEqual({ code: "unknownStatus", word: "status:odd" });
  expect(problemOf("colour:red")).toEqual({ code: "unknownName", word: "colour:red" });
  expect(problemOf("heron")).toEqual({ code: "unknownName", word: "heron" });
  expect(problemOf("model:9")).toEqual({ code: "noneMatches", word: "model:9" });
  expect(problemOf("model:super")).toEqual({
    code: "severalMatch",
    word: "model:super",
    names: "Super-Relay2.0, Super-Relay2.5",
  });
  expect(problemOf("status:ok status:failed")).toMatchObject({ code: "twice" });
  expect(problemOf("> many points")).toMatchObject({ code: "noPoints" });
});

test("what is written is read again", () => {
  const values = {
    status: "released",
    model: "RelayV1",
    key: "key_2",
    pointsMin: "2",
    pointsMax: "9",
  };
  expect(valuesOf(writeFilter(values, known))).toEqual(values);
});
