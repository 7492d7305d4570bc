/** Runs in the browser before everything else. */
import { config } from "zod/v4/core";

// Without this, zod tries `new Function`, which the content security policy refuses and reports.
config({ jitless: true });
