/** Everything that is ordered in the demo, decided before anything is written. */
import type { AnyOrder, PlanOptions } from "./orders";
import { type Habit, type Person, people } from "./people";
import { createRandom, type Random } from "./random";
import { recentResults, specialResults } from "./result-orders";
import { imageOrder, videoOrder } from "./results-of-habits";
import { timesOf } from "./rhythm";
import { specialTexts, textOrder } from "./text-orders";

function ordersOf(
  { end, scale }: PlanOptions,
  person: Person,
  habit: Habit,
  random: Random,
): AnyOrder[] {
  return timesOf(end, person, habit, scale, random.part("times")).map((at) => {
    const given = { at, end, person, habit, random };
    if (habit.family === "text") return textOrder(given);
    return habit.family === "image" ? imageOrder(given) : videoOrder(given);
  });
}

/** False for what would end after the history does. */
const isOver = (order: AnyOrder, end: number): boolean =>
  (order.family === "video" && order.ending === "open") || order.at + order.durationMs < end;

/** All orders by time. The same options make the same plan. */
export function planOrders(options: PlanOptions): AnyOrder[] {
  const random = createRandom(options.seed);
  const usual = people.flatMap((person) =>
    person.habits.flatMap((habit, index) =>
      ordersOf(options, person, habit, random.part(`${person.email} ${index}`)),
    ),
  );
  const special = [
    ...specialTexts(options, random.part("texts")),
    ...specialResults(options, random.part("results")),
    ...recentResults(options, random.part("recent")),
  ];
  return [...usual, ...special]
    .filter((order) => isOver(order, options.end))
    .sort((one, other) => one.at - other.at);
}
