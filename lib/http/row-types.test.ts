/**
 * Tests what the compiler checks about a row. Each line that it must refuse is marked, and a mark
 * without an error fails the check.
 */
import { expect, test } from "vitest";
import { type Endpoints, endpoints } from "../contract/endpoints";
import { type CallOf, jsonAnswer, type ServeDeps, serve, type UseCase } from "./serve";

const deps = {} as ServeDeps;
const health: UseCase<Endpoints["getHealth"]> = (call) => jsonAnswer(call, { status: "ok" });
const balance: UseCase<Endpoints["getBalance"]> = (call) =>
  jsonAnswer(call, { available_points: 1, held_points: 0 });

test("a use case gets its row's body and caller, and must return its row's answer", () => {
  const chat = ({ body, principal }: CallOf<Endpoints["createChatCompletion"]>) => {
    const text: string = body.model;
    // @ts-expect-error the cap is a number
    const cap: string = body.max_tokens;
    // @ts-expect-error a session may call this too, and has no key
    const id: string = principal.apiKeyId;
    return [text, cap, id];
  };
  const key = ({ body, principal }: CallOf<Endpoints["getKey"]>) => {
    // @ts-expect-error the row takes no body
    body.model;
    const id: string = principal.apiKeyId;
    return id;
  };
  const anyone = ({ principal }: CallOf<Endpoints["getHealth"]>) => {
    // @ts-expect-error a row for anyone has no principal
    return principal.accountId;
  };
  const wrong: UseCase<Endpoints["getBalance"]> = (call) => {
    // @ts-expect-error the answer has both amounts
    return jsonAnswer(call, { available_points: 1 });
  };
  const endpointsOf = [
    serve(endpoints.getHealth, deps, health),
    serve(endpoints.getBalance, deps, balance),
    // @ts-expect-error the use case of another row
    serve(endpoints.getBalance, deps, health),
    // @ts-expect-error the use case of another row with similar answers
    serve(endpoints.getReadiness, deps, health),
  ];
  expect(
    [chat, key, anyone, wrong, ...endpointsOf].every((each) => typeof each === "function"),
  ).toBe(true);
});
