/** What operators say in public, and what they let programs do. */
import { openIncident, updateIncident } from "@/lib/commands/incidents";
import { createOperatorKey } from "@/lib/commands/operator-keys";
import { MINUTE, momentOf } from "../rhythm";
import type { Writing } from "../writing";

export function addOperating(writing: Writing): void {
  const { timeline, given, demo } = writing;
  timeline.add(momentOf(given.end, 30, 10), () =>
    createOperatorKey(demo, writing.operator, {
      userId: writing.operator,
      name: "Billing system",
      scopes: ["points:write"],
    }),
  );
  timeline.add(momentOf(given.end, 16, 14), async () => {
    const { id } = await openIncident(demo, writing.operator, {
      titleEn: "Slow answers of text",
      titleZh: "文本回答变慢",
      models: ["RelayV1"],
      beganAt: null,
      state: "investigating",
      textEn: "Answers take longer than usual. Nothing is charged twice.",
      textZh: "回答比平时慢，不会重复扣费。",
    });
    timeline.add(demo.clock.now() + 50 * MINUTE, () =>
      updateIncident(demo, writing.operator, {
        id,
        state: "resolved",
        textEn: "The upstream answers at its usual speed again.",
        textZh: "上游已恢复正常速度。",
      }),
    );
  });
}
