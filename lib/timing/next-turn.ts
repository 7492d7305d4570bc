/** Resolves in the next turn of the event loop, so that other work can run. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs one step of a long piece of work, at once or in its turn. */
export type InSteps = <Result>(step: () => Result) => Result | Promise<Result>;

/** Runs `step` in the next turn of the event loop. */
export const inNextTurn = <Result>(step: () => Result): Promise<Result> => nextTurn().then(step);
