/** Resolves in the next turn of the event loop, so that other work can run. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
