import fc from "fast-check";
import { expect, test } from "vitest";
import { type Linked, LinkedList } from "./linked-list";

interface Member extends Linked<Member> {
  readonly name: number;
}
const member = (name: number): Member => ({ name, before: null, after: null });

test("whatever joins and leaves, the list has what a Set has, in the same order", () => {
  const step = fc.record({ joins: fc.boolean(), name: fc.nat({ max: 7 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const members = Array.from({ length: 8 }, (_, name) => member(name));
      const list = new LinkedList<Member>();
      const set = new Set<Member>();
      for (const { joins, name } of steps) {
        const one = members[name] as Member;
        if (joins && !set.has(one)) {
          list.add(one);
          set.add(one);
        } else if (!joins) {
          list.delete(one);
          set.delete(one);
        }
        expect(list.list()).toEqual([...set]);
        expect(list.first).toBe([...set][0] ?? null);
      }
    }),
  );
});

test("a member that has left refers to no other", () => {
  const list = new LinkedList<Member>();
  const [one, two, three] = [member(1), member(2), member(3)] as const;
  for (const each of [one, two, three]) list.add(each);
  list.delete(two);
  expect([two.before, two.after]).toEqual([null, null]);
});
