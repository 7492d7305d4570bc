"use client";

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { RequestError } from "./call";

const RETRIES_MAX = 2;

/**
 * When a session has ended while the page was open: opens the login page, which leads back here.
 */
function leaveWhenSignedOut(error: Error) {
  if (!(error instanceof RequestError) || error.code !== "sign_in_required") return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/login?callbackUrl=${encodeURIComponent(here)}`);
}

function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    // Any change may have moved points, so the balance in the header is refetched.
    mutationCache: new MutationCache({
      onError: leaveWhenSignedOut,
      onSettled: () => client.invalidateQueries({ queryKey: ["me"] }),
    }),
    defaultOptions: {
      queries: {
        staleTime: 1000,
        refetchOnWindowFocus: true,
        // A request that is itself wrong is not retried.
        retry: (count, error) =>
          count < RETRIES_MAX &&
          !(error instanceof RequestError && error.status >= 400 && error.status < 500),
      },
    },
  });
  return client;
}

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
