import type { UserSession } from "../accounts/sessions";
import type { SiteCall } from "../http/site";
import type { SiteParts } from "./site-parts";

/** One request of our own pages. */
export type Call<Body = unknown, Query = unknown> = SiteCall<SiteParts, UserSession, Body, Query>;
