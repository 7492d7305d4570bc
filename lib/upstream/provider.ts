/** What a protocol adapter is given and what it must answer. Adapters report usage; they never touch money. */

/** One configured way in to an upstream, its credential decrypted. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly protocol: "openai" | "ark" | "relay";
  /** Without a trailing slash, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Catalogue identifier → the upstream's name for it. */
  readonly models: Readonly<Record<string, string>>;
  /** 0: no limit. */
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  /** The higher is tried first; weights share equal ones. */
  readonly priority: number;
  readonly weight: number;
  readonly timeoutSeconds: number | null;
}

export interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reported: unknown;
}

/** Why an attempt failed, as the relay needs to know it. */
export interface UpstreamFailure {
  /** A code of the failure table. */
  readonly code:
    | "upstream_failed"
    | "upstream_bad_response"
    | "upstream_timeout"
    | "content_rejected"
    | "upstream_concurrency_exceeded"
    | "invalid_value"
    | "no_channel_available";
  /** True when the attempt surely cost nothing upstream, so another channel may be tried. */
  readonly isSurelyFree: boolean;
  /** For our logs: status and a cut of the upstream's text. */
  readonly internal: string;
  /** True when it is our own credential, account or quota that failed: the operator is alarmed. */
  readonly isOperatorFault: boolean;
  /** The field to blame when the upstream said so, else null. */
  readonly param: string | null;
}
